import type { OperationId } from '@hr/schemas';
import { systemOf } from '@hr/schemas/provider';
import { systems, type System } from '@hr/schemas/rules';
import type { ProviderState, StateParameters } from '../states/provider-states.ts';
import { decided, ok, problem, when, type Case, type Cases, type CaseRequest } from './behaviour-case.ts';
import { requestOf, validRequests } from './error-cases.ts';
import { changed, contract, day, deltaOf, persons, since, systemSets } from './person-cases.ts';

type Grants = StateParameters<'a client with grants'>;

/** The response to a client with grants. */
function granted(grants: Grants, expected: Case['expected'], ...requests: Case['requests']): Case {
  return when([contract, ['a client with grants', grants]], expected, ...requests);
}

const forbidden = problem('forbidden');
const operationIds = validRequests.map(([id]) => id as OperationId);
const seenBy = (names: readonly System[]): string => `by a client that may see ${names.join(' and ')}`;

const operationCases = validRequests.flatMap(([id, request]): [string, Case][] => {
  const others = operationIds.filter((each) => each !== id);
  const system = systemOf(id);
  const otherSystems = systems.filter((each) => each !== system);
  return [
    [
      `${id} is accepted of a client without another grant`,
      granted({ operations: [id as OperationId] }, { status: 200 }, requestOf(request)),
    ],
    [
      `${id} is forbidden to a client with all other grants`,
      granted({ operations: others }, forbidden, requestOf(request)),
    ],
    [
      `${id} is ${system ? 'forbidden' : 'accepted'} without the grant of ${system ?? 'payroll and time'}`,
      granted(
        { systems: system ? otherSystems : ['master'] },
        system ? forbidden : { status: 200 },
        requestOf(request),
      ),
    ],
  ];
});

const personCases = systemSets.flatMap((names): [string, Case][] => {
  const shown = ok([deltaOf(...names)]);
  const given: readonly ProviderState[] = [contract, changed('time'), ['a client with grants', { systems: names }]];
  return [
    [`the list has only the fields ${seenBy(names)}`, granted({ systems: names }, shown, persons)],
    [`a list of changes has only the fields ${seenBy(names)}`, when(given, shown, since('2026-03-01'))],
  ];
});

function changes(systemsOfChange: readonly System[], names: System[], ...shown: readonly object[]): Case {
  const given: ProviderState = ['a client with grants', { systems: names }];
  return when([contract, changed(...systemsOfChange), given], ok(shown), since(day));
}

const goneCases = (['deleted', 'erased'] as const).map((mark): [string, Case] => [
  `a list of changes clears only the visible fields of a person who was ${mark}`,
  when(
    [
      contract,
      [mark === 'deleted' ? 'a deleted person' : 'an erased person', { id: '4711' }],
      ['a client with grants', { systems: ['time'] }],
    ],
    ok([{ id: '4711', keyNumber: null, [mark]: true }]),
    since(day),
  ),
]);

const patch = (body: object, id = '4711'): CaseRequest => [`PATCH /api/v1/persons/${id}`, { body }];
const bankDetails = { iban: 'DE00X' };
const address = { street: 'Münsterplatz', city: 'Ulm' };
const both = { addresses: [address], bankDetails };
const mayPatch: Grants = { operations: ['updatePerson'] };

/** What a client may use and see that the operator has not granted everything. */
export const grantCases: Cases = decided({
  ...Object.fromEntries([...operationCases, ...personCases, ...goneCases]),
  'grants are checked before the rate limit, the path and the inputs': when(
    [['a used-up rate limit'], ['a client with grants', { operations: ['listPersons'] }]],
    forbidden,
    'GET /api/v1/persons/nobody/absences?x=1',
  ),
  'a list of changes has only what changed of the visible systems': changes(
    ['payroll', 'time'],
    ['master', 'time'],
    deltaOf('time'),
  ),
  'a list of changes has payroll for a client that may not see master': changes(
    ['payroll'],
    ['payroll'],
    deltaOf('payroll'),
  ),
  'a list of changes leaves out a person of whom only other systems changed': changes(['payroll', 'time'], ['master']),
  'a patch of a field of another system is forbidden': granted({ systems: ['master'] }, forbidden, patch(both)),
  'a patch of a field of another system is forbidden also for an unknown person': granted(
    { systems: ['payroll'] },
    forbidden,
    patch(both, 'nobody'),
  ),
  'a forbidden patch changes nothing': granted(
    { systems: ['payroll'] },
    ok([deltaOf('payroll')]),
    patch(both),
    persons,
  ),
  'a patch responds with the visible fields': granted(
    { systems: ['payroll', 'time'] },
    ok({ ...deltaOf('payroll', 'time'), bankDetails }),
    patch({ bankDetails }),
  ),
  'a patch by a client that may not list persons responds with the sent fields': granted(
    mayPatch,
    ok({ id: '4711', address, bankDetails }),
    patch(both),
  ),
  'a patch without fields by a client that may not list persons responds with the id': granted(
    mayPatch,
    ok({ id: '4711' }),
    patch({}),
  ),
  'a patch by a client that may not list persons leaves out a cleared address': granted(
    mayPatch,
    ok({ id: '4711' }),
    patch({ addresses: [] }),
  ),
});
