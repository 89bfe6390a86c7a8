import { operations } from '@hr/schemas';
import type { Operation, OperationId } from '@hr/schemas';
import type { Handler } from '../operations/handler.ts';
import { listAbsences } from '../operations/list-absences.ts';
import { listPersons } from '../operations/list-persons.ts';
import { listSalaryHistory } from '../operations/list-salary-history.ts';
import { listTimeBookings } from '../operations/list-time-bookings.ts';
import { listVariablePayments } from '../operations/list-variable-payments.ts';
import { submitVariablePayment } from '../operations/submit-variable-payment.ts';
import { updatePerson } from '../operations/update-person.ts';
import type { Store } from '../store.ts';
import { checkAccept, checkLength, checkMediaType } from './check-message.ts';
import { checkInputs } from './check-inputs.ts';
import { checkRateLimit } from './check-rate-limit.ts';
import { checkTimeComponent } from './check-time-component.ts';
import type { OperationRoute } from './find-route.ts';
import { HttpProblem } from './http-problem.ts';
import type { ReceivedRequest } from './received-request.ts';
import { checkScope } from './tokens.ts';
import type { Tokens } from './tokens.ts';

const handlers: { readonly [Id in OperationId]: Handler<Id> } = {
  listPersons,
  updatePerson,
  submitVariablePayment,
  listVariablePayments,
  listTimeBookings,
  listSalaryHistory,
  listAbsences,
};

const MOST_BODY_BYTES = 1024 * 1024;

/**
 * The answer to a request of an operation. What is wrong with one is found in the order in which the service finds it.
 *
 * @throws {HttpProblem} where something is wrong.
 */
export function perform(store: Store, tokens: Tokens, route: OperationRoute, request: ReceivedRequest): object {
  const operation: Operation = operations[route.operation];
  const grant = tokens.grantOf(store, request.headers.get('authorization'));
  checkScope(grant);
  checkRateLimit(store, 'client');
  checkAccept(request);
  checkMediaType(operation.body, request);
  checkLength(request, MOST_BODY_BYTES);
  const inputs = checkInputs(operation, route, request);
  if (operation.timeComponent) checkTimeComponent(store);
  // Sound: the handler of an id takes what the schemas of the same id let through.
  const answer = handlers[route.operation]({ ...inputs, store, grant } as never);
  if (answer) return answer;
  const owner = 'contractId' in route.path ? 'payroll contract' : 'person';
  throw new HttpProblem('not-found', `There is no ${owner} with this id.`);
}
