import type { Body, OperationId, Operations, PathParameters, Query } from '@hr/schemas';
import type { ChangeRoute, ReadRoute } from './route.ts';

/** What answers an operation of the API, once its inputs are checked. */
export type Handler<Id extends OperationId> = Operations[Id]['method'] extends 'GET'
  ? ReadRoute<PathParameters<Id>, Query<Id>, Body<Id>>['answer']
  : ChangeRoute<PathParameters<Id>, Query<Id>, Body<Id>>['answer'];
