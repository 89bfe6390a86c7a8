import { operations, wireNames } from '@hr/schemas';
import type { Operation, OperationId } from '@hr/schemas';
import { compareComponentVersions, parseForm, readInputs, REQUIRED_TIME_COMPONENT_VERSION } from '@hr/schemas/rules';
import type { Handler } from '../operations/handler.ts';
import { listAbsences } from '../operations/list-absences.ts';
import { listPersons } from '../operations/list-persons.ts';
import { listSalaryHistory } from '../operations/list-salary-history.ts';
import { listTimeBookings } from '../operations/list-time-bookings.ts';
import { listVariablePayments } from '../operations/list-variable-payments.ts';
import { submitVariablePayment } from '../operations/submit-variable-payment.ts';
import { updatePerson } from '../operations/update-person.ts';
import type { Store } from '../store.ts';
import { checkAccept, checkMediaType } from './check-headers.ts';
import { checkRateLimit } from './check-rate-limit.ts';
import { HttpProblem, invalidRequest } from './http-problem.ts';
import { readJson } from './read-json.ts';
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
export function perform(
  store: Store,
  tokens: Tokens,
  request: ReceivedRequest,
  { operation: id, path }: { readonly operation: OperationId; readonly path: Readonly<Record<string, string>> },
): object {
  const operation: Operation = operations[id];
  const grant = tokens.grantOf(store, request.headers.get('authorization'));
  checkScope(grant);
  checkRateLimit(store, 'client');
  checkAccept(request);
  checkMediaType(operation.body, request);
  checkLength(request, MOST_BODY_BYTES);
  const inputs = checkInputs(id, operation, request, path);
  if (operation.timeComponent) checkTimeComponent(store);
  // Sound: the handler of an id takes what the schemas of the same id let through.
  const answer = handlers[id]({ ...inputs, store, grant } as never);
  if (answer) return answer;
  const owner = 'contractId' in path ? 'payroll contract' : 'person';
  throw new HttpProblem('not-found', `There is no ${owner} with this id.`);
}

export function checkLength({ bytes }: ReceivedRequest, most: number): void {
  if (bytes.length <= most) return;
  throw new HttpProblem('content-too-large', 'Send a shorter body: 1 MiB at most, 16 KiB below /api/oauth2.');
}

function checkInputs(id: OperationId, operation: Operation, request: ReceivedRequest, path: object) {
  const sent = parseForm(request.query);
  if (!sent) throw new HttpProblem('invalid-request', 'The query is not valid percent-encoded UTF-8.');
  const idempotencyKey = (operation.idempotencyKey && request.headers.get('idempotency-key')) ?? undefined;
  const body = operation.body && readJson(request.bytes);
  const names = (wireNames as Readonly<Record<string, Readonly<Record<string, string>>>>)[id] ?? {};
  const { query, issues } = readInputs({ ...operation, wireNames: names }, { path, query: sent, idempotencyKey, body });
  if (issues.length > 0) throw invalidRequest(issues);
  return { path, query, body, idempotencyKey };
}

/** Refuses what needs a newer time-recording component than the installed one (section 8). */
function checkTimeComponent({ timeComponentVersion: installed }: Store): void {
  const required = REQUIRED_TIME_COMPONENT_VERSION;
  if (compareComponentVersions(installed, required) >= 0) return;
  throw new HttpProblem(
    'time-component-version',
    `The time-recording component is installed in version ${installed}; this needs ${required} or higher.`,
    { members: { installed, required } },
  );
}
