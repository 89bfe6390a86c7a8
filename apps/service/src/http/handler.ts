import type { Body, OperationId, PathParameters, Query } from '@hr/schemas';
import type { Call, JsonAnswer } from './route.ts';

/** What answers an operation of the API, once its inputs are checked. */
export type Handler<Id extends OperationId> = (
  call: Call<PathParameters<Id>, Query<Id>, Body<Id>>,
) => Promise<JsonAnswer>;
