import { operations, type Operation } from '@hr/schemas';
import type { ProviderState } from '../states/provider-states.ts';
import { casesOf, decided, having, ok, problem, when, type Case, type Cases } from './behaviour-case.ts';
import { operationIds, requestOf } from './error-cases.ts';
import { contract } from './given.ts';
import { patch } from './patch-cases.ts';
import { deltaOf, persons } from './person-cases.ts';

// Each of these requests has the cursor of an earlier response. Without one the cases are not tried.

const lists = operationIds.filter((id) => {
  const { cursor, list }: Operation = operations[id];
  return cursor && list;
});
const after = 'after={cursor}';
const personsAfter = `${persons}?${after}`;
const changes = 'GET /api/v1/changes';
const changesAfter = `${changes}?${after}`;
const bookings = 'GET /api/v1/time-bookings';

const headers = having({ 'hr-cursor': 'a cursor' }) as Record<string, string>;
const address = { street: 'Münsterplatz', city: 'Ulm' };
const bankDetails = { iban: 'DE00X' };
const ofPayroll = { ...deltaOf('payroll'), bankDetails };
const patchAccount = patch({ bankDetails });
const inEachList: readonly ProviderState[] = [
  contract,
  ['a day of time bookings', { personId: '4711', date: '2026-03-02' }],
  ['an absence', { personId: '4711' }],
  ['an approved payment', { payrollContractId: '1-77', billingPeriod: '2026-01' }],
];

function rejects(query: string, fault: string): Case {
  return when([], problem('invalid-request', fault), persons, `${persons}?${query}`);
}

/** The response says that these changed. */
function changed(names: readonly string[], ...requests: Case['requests']): Case {
  return when([contract], ok({ cursor: 'a cursor', changed: names }), ...requests);
}

function granted(grants: object, { given, expected, requests }: Case): Case {
  return when([...given, ['a client with grants', grants]], expected, ...requests);
}

/** Lists after a cursor, and the wait for changes (section 4.2). */
export const cursorCases: Cases = decided({
  ...casesOf(lists, (id) => [`${id} has a cursor`, when([contract], { status: 200, headers }, requestOf(id))]),
  ...casesOf(lists, (id) => [
    `${id} is empty after a cursor if nothing has changed, and has a cursor`,
    when(inEachList, { ...ok([]), headers }, persons, requestOf(id, {}, after)),
  ]),
  'persons after a cursor have the fields of the system that changed': when(
    [contract],
    ok([ofPayroll]),
    persons,
    patchAccount,
    personsAfter,
  ),
  'persons after a cursor have all changes since': when(
    [contract],
    ok([{ ...deltaOf('master', 'payroll'), address, bankDetails }]),
    persons,
    patchAccount,
    patch({ addresses: [address] }),
    personsAfter,
  ),
  'persons can be read after the cursor of time bookings': when(
    [contract],
    ok([ofPayroll]),
    bookings,
    patchAccount,
    personsAfter,
  ),
  'persons can be read after the cursor of changes': when(
    [contract],
    ok([ofPayroll]),
    changes,
    patchAccount,
    personsAfter,
  ),
  'a change before the cursor is not repeated on the same day': when(
    [contract],
    ok([]),
    patchAccount,
    persons,
    personsAfter,
  ),
  'the cursor of a list of changes is after these changes': when(
    [contract],
    ok([]),
    persons,
    patchAccount,
    personsAfter,
    personsAfter,
  ),
  'a patch that changes nothing is no change after a cursor': when(
    [contract],
    ok([]),
    patchAccount,
    persons,
    patchAccount,
    personsAfter,
  ),
  'time bookings after a cursor are unchanged by a patch': when(
    inEachList,
    ok([]),
    bookings,
    patchAccount,
    `${bookings}?${after}`,
  ),
  'persons after a cursor have only visible fields': granted(
    { systems: ['payroll', 'time'] },
    when([contract], ok([ofPayroll]), persons, patchAccount, personsAfter),
  ),
  'a cursor together with a date is rejected': rejects(`changedSince=2026-01-01&${after}`, '/after rule'),
  'a cursor with another end is rejected': rejects(`${after}x`, '/after wrong-format'),
  'a cursor with another beginning is rejected': rejects('after=x{cursor}', '/after wrong-format'),
  'a cursor with a space is rejected': rejects('after=%20{cursor}', '/after wrong-format'),

  'changes without a cursor respond at once with one': changed([], `${changes}?wait=50`),
  'changes after a patch have persons': changed(['persons'], changes, patchAccount, changesAfter),
  'changes after a patch respond at once': changed(['persons'], persons, patchAccount, `${changesAfter}&wait=50`),
  'changes are none if nothing has changed': changed([], changes, changesAfter),
  'changes are none if nothing changes in the time to wait': changed([], changes, `${changesAfter}&wait=1`),
  'changes continue after their own cursor': changed([], changes, patchAccount, changesAfter, changesAfter),
  'a submitted payment is no change': changed([], changes, requestOf('submitVariablePayment'), changesAfter),
  'changes have no persons for a client that may not list them': granted(
    { operations: ['getChanges', 'updatePerson'] },
    changed([], changes, patchAccount, changesAfter),
  ),
  'changes reject a cursor that is not theirs': when(
    [],
    problem('invalid-request', '/after wrong-format'),
    changes,
    `${changesAfter}x`,
  ),
  'changes reject a time to wait of more than 50 seconds': when(
    [],
    problem('invalid-request', '/wait wrong-format'),
    `${changes}?wait=51`,
  ),
});
