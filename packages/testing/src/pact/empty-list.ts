import { operations, type ListOperationId } from '@hr/schemas';
import { invalidOption } from '../hr-testing-error.ts';
import { lists, type Row } from '../model/lists.ts';
import { statesOf, type StateName } from '../states/provider-states.ts';
import { describeExchange, type Exchange } from './exchange.ts';
import { pathIds, operationExchange, type Details } from './operation-exchange.ts';

/** A list with filters. Nothing says what is before a cursor. */
type FilteredListId = Exclude<
  ListOperationId,
  'listVariablePaymentDecisions' | 'listWebhookEndpoints' | 'listWebhookDeliveries'
>;

/** The state that puts an element into each list. */
const stateOfElement = {
  listPersons: 'a person who changed',
  listVariablePayments: 'an approved payment',
  listTimeBookings: 'a day of time bookings',
  listSalaryHistory: 'a salary',
  listAbsences: 'an absence',
  listAllAbsences: 'an absence',
  listAllSalaries: 'a salary',
} as const satisfies Record<FilteredListId, StateName>;

/**
 * The exchange of a list whose filter excludes all existing elements, and as its counterpart the list without them.
 *
 * @throws {HrTestingError} `invalid-option` without a filter, if a provider may ignore a filter, or if the list is empty without them
 */
export function emptyListExchange(
  operation: ListOperationId,
  { request = {}, given = [], description }: Details,
): Exchange {
  if (!Object.hasOwn(stateOfElement, operation)) {
    const known = Object.keys(stateOfElement).join(', ');
    throw invalidOption(`${operation}: emptyList() needs a list with filters. Use one of ${known}.`);
  }
  const id = operation as FilteredListId;
  const query = (request.query ?? {}) as Readonly<Record<string, string>>;
  const filters = Object.keys(query);
  if (filters.length === 0 || filters.includes('after')) {
    const known = Object.keys(operations[id].query.shape).filter((name) => name !== 'after');
    const fault = filters.length === 0 ? 'no filter' : 'a cursor, which is no filter';
    throw invalidOption(`${id}: request.query: ${fault}. Give one of ${known.join(', ')}.`);
  }
  const states = statesOf(given);
  const ids = Object.entries(pathIds(id, request));
  const ofList: readonly Row[] = states.flatMap(([name, parameters = {}]) =>
    name === stateOfElement[id] ? [parameters] : [],
  );
  const rows = ofList.filter((row) => ids.every(([key, value]) => row[key] === value));
  if (rows.length === 0) {
    const owner = ids.map(([key]) => ` of the same ${key}`).join('');
    const fault = `${id}: given: the list is empty even without the filter, so that this proves nothing`;
    throw invalidOption(`${fault}. Add the state "${stateOfElement[id]}"${owner}.`);
  }
  const { changedSince, ...window } = query;
  const isKept =
    changedSince === undefined
      ? rows.some((row) => lists[id].keeps(row, window))
      : states.some(([name, parameters]) => name === 'a person who changed' && parameters.since >= changedSince);
  if (isKept) {
    const fault = `${id}: given: the filter keeps a record of the states, or may keep it because they leave out its dates`;
    throw invalidOption(`${fault}. Give it dates just outside of the filter, such as the day before "from".`);
  }
  const excludes = (row: Row, names: readonly string[]): boolean =>
    !lists[id].keeps(row, Object.fromEntries(names.map((name) => [name, query[name] ?? ''])));
  const ignorable = filters.find((name) => {
    // Absences of a window that also run on its first day are those of `from` alone.
    if (id.endsWith('Absences') && name === 'to' && filters.includes('from')) return false;
    const others = filters.filter((each) => each !== name);
    return !rows.some((row) => excludes(row, [name]) && !excludes(row, others));
  });
  if (filters.length > 1 && ignorable !== undefined) {
    const fault = `${id}: given: a provider may ignore ${ignorable}, as the other filters exclude everything`;
    throw invalidOption(`${fault}. Add a state that only ${ignorable} excludes.`);
  }
  const own = description ?? describeExchange(id, `200 outside of ${filters.join(' and ')}`, states);
  // An empty list alone would also pass if the provider ignored the states.
  const all = { request: { ...request, query: {} }, given, example: [{}], description: `${own}, without the filter` };
  const counterpart = operationExchange(id, all);
  return { ...operationExchange(id, { request, given, example: [], description: own }), counterpart };
}
