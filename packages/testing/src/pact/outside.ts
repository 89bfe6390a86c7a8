import { operations } from '@hr/schemas';
import type { ListOperationId } from '@hr/schemas';
import { HrTestingError } from '../hr-testing-error.ts';
import { statesOf } from '../states/provider-states.ts';
import type { StateName } from '../states/provider-states.ts';
import { describeExchange } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { namedIds, operationExchange } from './operation-exchange.ts';
import type { Details } from './operation-exchange.ts';

/** The state that puts an element into each list. */
const stateOfElement = {
  listPersons: 'a person who changed',
  listVariablePayments: 'an approved payment',
  listTimeBookings: 'a day of time bookings',
  listSalaryHistory: 'a salary',
  listAbsences: 'an absence',
} as const satisfies Record<ListOperationId, StateName>;

/**
 * A list whose filter excludes all that exists.
 *
 * @throws {HrTestingError} `invalid-option` without exactly one filter, or if the list is empty even without it
 */
export function outsideExchange(id: ListOperationId, { request = {}, given = [], description }: Details): Exchange {
  if (!Object.hasOwn(stateOfElement, id)) {
    const known = Object.keys(stateOfElement).join(', ');
    throw new HrTestingError('invalid-option', `${id}: outside() needs a list with filters. Use one of ${known}.`);
  }
  const [filter, ...others] = Object.keys(request.query ?? {});
  if (filter === undefined || others.length > 0) {
    const known = Object.keys(operations[id].query.shape).join(', ');
    const fault = `${id}: request.query: ${filter ? 'several filters, of which a provider may ignore one' : 'no filter'}`;
    throw new HrTestingError('invalid-option', `${fault}. Give one of ${known}.`);
  }
  const states = statesOf(given);
  const ids = Object.entries(namedIds(id, request));
  const isElement = ([name, parameters = {}]: (typeof states)[number]) =>
    name === stateOfElement[id] && ids.every(([key, value]) => (parameters as Record<string, unknown>)[key] === value);
  if (!states.some(isElement)) {
    const owner = ids.map(([key]) => ` of the same ${key}`).join('');
    const fault = `${id}: given: the list is empty even without the filter, so that this proves nothing`;
    throw new HrTestingError('invalid-option', `${fault}. Add the state "${stateOfElement[id]}"${owner}.`);
  }
  const own = description ?? describeExchange(id, `200 outside of ${filter}`, states);
  return operationExchange(id, { request, given, example: [], description: own });
}
