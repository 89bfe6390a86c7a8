import { operations, type ListOperationId } from '@hr/schemas';
import { HrTestingError } from '../hr-testing-error.ts';
import { statesOf, type StateName } from '../states/provider-states.ts';
import { describeExchange, type Exchange } from './exchange.ts';
import { pathIds, operationExchange, type Details } from './operation-exchange.ts';

/** The state that puts an element into each list. */
const stateOfElement = {
  listPersons: 'a person who changed',
  listVariablePayments: 'an approved payment',
  listTimeBookings: 'a day of time bookings',
  listSalaryHistory: 'a salary',
  listAbsences: 'an absence',
} as const satisfies Record<ListOperationId, StateName>;

/**
 * The exchange of a list whose filter excludes all existing elements, and as its counterpart the list without the filter.
 *
 * @throws {HrTestingError} `invalid-option` unless there is exactly one filter, or if the list is empty without it
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
  const ids = Object.entries(pathIds(id, request));
  const isElement = ([name, parameters = {}]: (typeof states)[number]) =>
    name === stateOfElement[id] && ids.every(([key, value]) => (parameters as Record<string, unknown>)[key] === value);
  if (!states.some(isElement)) {
    const owner = ids.map(([key]) => ` of the same ${key}`).join('');
    const fault = `${id}: given: the list is empty even without the filter, so that this proves nothing`;
    throw new HrTestingError('invalid-option', `${fault}. Add the state "${stateOfElement[id]}"${owner}.`);
  }
  const own = description ?? describeExchange(id, `200 outside of ${filter}`, states);
  // An empty list alone would also pass if the provider ignored the states.
  const all = { request: { ...request, query: {} }, given, example: [{}], description: `${own}, without the filter` };
  const counterpart = operationExchange(id, all);
  return { ...operationExchange(id, { request, given, example: [], description: own }), counterpart };
}
