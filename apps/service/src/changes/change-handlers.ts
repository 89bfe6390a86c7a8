import type { Operations } from '@hr/schemas';
import { oneRecord } from '../database/json-answer.ts';
import type { Handlers } from '../http/route.ts';
import type { changeOperations } from './change-operations.ts';
import { kindsOfOperators, visibleKinds } from './visible-kinds.ts';

/** Changes as they happen, an extension of the specification. */
export const changeHandlers = {
  getChanges: async (call) => oneRecord(JSON.stringify(await call.changeFeed.changes(call, visibleKinds))),
} satisfies Partial<Handlers<Operations>>;

export const operatorChangeHandlers = {
  operatorGetChanges: async (call) => oneRecord(JSON.stringify(await call.changeFeed.changes(call, kindsOfOperators))),
} satisfies Handlers<typeof changeOperations>;
