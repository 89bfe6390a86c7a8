import type { Operations } from '@hr/schemas';
import { oneRecord } from '../database/json-answer.ts';
import type { Handlers } from '../http/route.ts';

/** Changes as they happen, an extension of the specification. */
export const changeHandlers = {
  getChanges: async (call) => oneRecord(JSON.stringify(await call.changeFeed.changes(call))),
} satisfies Partial<Handlers<Operations>>;
