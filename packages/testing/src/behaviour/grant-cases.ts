import { operations } from '@hr/schemas';
import { systemOf } from '@hr/schemas/provider';
import { systems, type System } from '@hr/schemas/rules';
import type { ProviderState, StateParameters } from '../states/provider-states.ts';
import { casesOf, decided, ok, problem, when, type Case, type Cases } from './behaviour-case.ts';
import { operationIds, requestOf } from './error-cases.ts';
import { changed, contract, day, deletions, systemSets } from './given.ts';
import { patch } from './patch-cases.ts';
import { deltaOf, persons, since } from './person-cases.ts';

type Grants = StateParameters<'a client with grants'>;
const forbidden = problem('forbidden');

/** The response to a client with grants. */
function granted(grants: Grants, expected: Case['expected'], ...requests: Case['requests']): Case {
  return when([contract, ['a client with grants', grants]], expected, ...requests);
}

/** An operation on what exists is accepted of a client with grants. */
function accepted(grants: Grants, id: (typeof operationIds)[number]): Case {
  const isOfEndpoint = 'endpointId' in operations[id].pathParameters.shape;
  const given: ProviderState = isOfEndpoint ? ['a webhook endpoint', { id: '4711' }] : contract;
  return when([given, ['a client with grants', grants]], { status: 200 }, requestOf(id));
}

/** A list of changes to a client that may see these systems, after a change of others. */
function changes(names: System[], ofChange: readonly System[], ...shown: readonly object[]): Case {
  return when([contract, changed(ofChange), ['a client with grants', { systems: names }]], ok(shown), since(day));
}

/** Whether an operation is accepted of a client that may see all systems but its own. */
function ofOtherSystems(id: (typeof operationIds)[number]): [string, Case] {
  const system = systemOf(id);
  const others = systems.filter((each) => each !== (system ?? 'time'));
  return [
    `${id} is ${system ? 'forbidden to' : 'accepted of'} a client that may see only ${others.join(' and ')}`,
    system ? granted({ systems: others }, forbidden, requestOf(id)) : accepted({ systems: others }, id),
  ];
}

const bankDetails = { iban: 'DE00X' };
const address = { street: 'Münsterplatz', city: 'Ulm' };
const both = { addresses: [address], bankDetails };

/** The response to a patch by a client that may not list persons. */
function responds(body: object, fields: object): Case {
  return granted({ operations: ['updatePerson'] }, ok({ id: '4711', ...fields }), patch(body));
}

/** What a client may use and see to which the operator has not granted everything. */
export const grantCases: Cases = decided({
  ...casesOf(operationIds, (id) => [
    `${id} is accepted of a client that may use nothing else`,
    accepted({ operations: [id] }, id),
  ]),
  ...casesOf(operationIds, (id) => [
    `${id} is forbidden to a client that may use everything else`,
    granted({ operations: operationIds.filter((each) => each !== id) }, forbidden, requestOf(id)),
  ]),
  ...casesOf(operationIds, ofOtherSystems),
  'grants are checked before the rate limit, the path and the inputs': when(
    [['a used-up rate limit'], ['a client with grants', { operations: ['listPersons'] }]],
    forbidden,
    'GET /api/v1/persons/nobody/absences?x=1',
  ),
  ...casesOf(systemSets, (names) => [
    `the list has only the fields of ${names.join(' and ')} for a client that may see only these`,
    granted({ systems: names }, ok([deltaOf(...names)]), persons),
  ]),
  ...casesOf(systemSets, (names) => [
    `a list of changes has only the fields of ${names.join(' and ')} for a client that may see only these`,
    changes(names, systems, deltaOf(...names)),
  ]),
  'a list of changes has only visible changes': changes(['master', 'time'], ['payroll', 'time'], deltaOf('time')),
  'a list of changes has a change of payroll without master': changes(['payroll'], ['payroll'], deltaOf('payroll')),
  'a list of changes leaves out a person of whom only other systems changed': changes(['master'], ['payroll', 'time']),
  ...casesOf(deletions('4711'), ({ name, state, mark }) => [
    `a list of changes clears only the visible fields of ${name}`,
    when(
      [contract, state, ['a client with grants', { systems: ['time'] }]],
      ok([{ id: '4711', keyNumber: null, ...mark }]),
      since(day),
    ),
  ]),
  'a patch of a field of another system is forbidden': granted({ systems: ['master'] }, forbidden, patch(both)),
  'a patch of hidden fields is forbidden for any id': granted(
    { systems: ['payroll'] },
    forbidden,
    patch(both, 'nobody'),
  ),
  'a forbidden patch is no change': granted({ systems: ['payroll'] }, ok([deltaOf('payroll')]), patch(both), persons),
  'a patch responds with the visible fields': granted(
    { systems: ['payroll', 'time'] },
    ok({ ...deltaOf('payroll', 'time'), bankDetails }),
    patch({ bankDetails }),
  ),
  'a patch without the grant to list persons responds with the sent fields': responds(both, {
    address,
    bankDetails,
  }),
  'a patch of nothing without the grant to list persons responds with the id': responds({}, {}),
  'a patch without the grant to list persons leaves out a cleared address': responds({ addresses: [] }, {}),
});
