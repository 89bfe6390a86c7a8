import { operations, type OperationId } from '@hr/schemas';
import {
  scenarioStates,
  VerificationFailedError,
  verifyProvider,
  type VerifiedInteraction,
} from '@hr/testing/provider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFakeHrCloud, type RunningFakeHrCloud } from '../src/fake/index.ts';
import type { Given } from '../src/states/index.ts';
import { jsonFile, pactOf, type TestInteraction } from './pact-file.ts';
import { consumerWithParts } from './pact-parts.ts';
import { startProvider, type ProviderUnderTest } from './provider-under-test.ts';

type Body = readonly (Record<string, unknown> & { readonly employments: Record<string, unknown>[] })[];

interface Case {
  readonly operation: OperationId;
  readonly given: Given;
  readonly example: readonly object[];
  readonly request?: { readonly path?: Record<string, string>; readonly query?: Record<string, string> };
  /** What a provider changes that mixes up its records. */
  readonly confuse: (body: Body) => void;
  /** Where this is reported; undefined if it is allowed. */
  readonly place?: string;
}

const setId = (name: string, value: string) => (body: Body) => void Object.assign(body[0] ?? {}, { [name]: value });
const two: Given = [
  ['a person', { id: '1' }],
  ['a person', { id: '2' }],
];

const cases: Readonly<Record<string, Case>> = {
  'an added id of a person': {
    operation: 'listPersons',
    given: ['a person', { id: '4711' }],
    example: [{ firstName: 'Ada' }],
    confuse: setId('id', '4712'),
    place: '$[*].id',
  },
  'added ids of two persons, one of them twice': {
    operation: 'listPersons',
    given: two,
    example: [{ lastName: 'Ek' }, { lastName: 'Ek' }],
    confuse: setId('id', '2'),
    place: '$[*].id',
  },
  'ids of one of two persons': {
    operation: 'listPersons',
    given: two,
    example: [{ id: '1' }],
    confuse: setId('id', '3'),
    place: '$[*].id',
  },
  'an added personId of time bookings': {
    operation: 'listTimeBookings',
    given: ['a day of time bookings', { personId: '4711', date: '2026-02-02' }],
    example: [{ days: [{ date: '2026-02-02' }] }],
    confuse: setId('personId', '1'),
    place: '$[*].personId',
  },
  'an added id of a contract': {
    operation: 'listPersons',
    given: ['a contract', { payrollContractId: '1-77', personId: '4711' }],
    example: [{ employments: [{ start: '2020-01-01' }] }],
    confuse: ([person]) => Object.assign(person?.employments[0] ?? {}, { payrollContractId: '9-9' }),
    place: '$[*].employments[*].payrollContractId',
  },
  'an added id of the person of a contract': {
    operation: 'listPersons',
    given: ['a contract', { payrollContractId: '1-77', personId: '4711' }],
    example: [{ employments: [{ start: '2020-01-01' }] }],
    confuse: setId('id', '9'),
    place: '$[*].id',
  },
  'an added id of an absence': {
    operation: 'listAbsences',
    given: ['an absence', { id: 'abs', personId: '4711' }],
    request: { path: { personId: '4711' } },
    example: [{ startDate: '2026-02-02' }],
    confuse: setId('id', 'zz'),
    place: '$[*].id',
  },
  'an added id of a change': {
    operation: 'listPersons',
    given: ['a person who changed', { id: '4711', systems: ['master'], since: '2026-10-10' }],
    request: { query: { changedSince: '2026-10-10' } },
    example: [{ lastName: 'Ek' }],
    confuse: setId('id', '9'),
    place: '$[*].id',
  },
  'an added id of an erased person': {
    operation: 'listPersons',
    given: ['an erased person', { id: '4711' }],
    request: { query: { changedSince: '2020-01-01' } },
    example: [{ erased: true }],
    confuse: setId('id', '9'),
    place: '$[*].id',
  },
  'a manager': {
    operation: 'listPersons',
    given: ['a person', { id: '4711', managerId: '4712' }],
    example: [{ managerId: '4712' }],
    confuse: setId('managerId', '9'),
    place: '$[*].managerId',
  },
  'more persons beside the named one': {
    operation: 'listPersons',
    given: ['a person', { id: '4711' }],
    example: [{ firstName: 'Ada' }],
    confuse: (body) => void (body as Body[number][]).unshift({ ...(body[0] as Body[number]), id: '4710' }),
  },
  'an id that no state names': {
    operation: 'listAbsences',
    given: [
      ['an absence', { personId: '4711' }],
      ['an absence', { id: 'other', personId: '4712' }],
    ],
    request: { path: { personId: '4711' } },
    example: [{ startDate: '2026-02-02' }],
    confuse: setId('id', 'zz'),
  },
  'a change of one of two persons': {
    operation: 'listPersons',
    given: [...two, ['a person who changed', { id: '2', systems: ['master'], since: '2026-10-10' }]],
    request: { query: { changedSince: '2026-10-10' } },
    example: [{ lastName: 'Ek' }],
    confuse: (body) => void (body as Body[number][]).splice(0, body.length, { ...(body[0] as Body[number]), id: '2' }),
  },
};

let cloud: RunningFakeHrCloud;
let provider: ProviderUnderTest;
let confuse: Case['confuse'] | undefined;

beforeAll(async () => {
  cloud = await startFakeHrCloud();
  provider = await startProvider((response, { path, headers: { authorization = '' } }) => {
    void (async () => {
      const answer = await fetch(cloud.url + path, { headers: { authorization } });
      const body = (await answer.json()) as Body;
      confuse?.(body);
      response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    })();
  });
});
afterAll(async () => {
  await provider.stop();
  await cloud.stop();
});

/** The faults of each interaction, of a provider that mixes up the records of each as given. */
async function faultsOf(
  interactions: readonly object[],
  confusions: readonly Case['confuse'][] = [],
): Promise<readonly VerifiedInteraction['faults'][]> {
  const each = confusions.values();
  const result = await verifyProvider({
    provider,
    source: { pacts: [await jsonFile({ ...pactOf('ids', []), interactions })] },
    states: scenarioStates((scenario) => cloud.load(scenario)),
    reset() {
      cloud.reset();
      confuse = each.next().value;
    },
    token: () => 'contract-token',
  }).catch((error: unknown) => {
    if (error instanceof VerificationFailedError) return error.result;
    throw error;
  });
  return result.interactions.map(({ faults }) => faults);
}

/** The places of faults, in whichever element, if they are only about ids. */
function placesOfIds(faults: VerifiedInteraction['faults'] = []): string[] {
  const isOfId = /^expected "[^"]+"(?: or "[^"]+")*, which (?:the path|a state) names, got another value\.$/;
  const places = faults.map(({ place, message }) =>
    isOfId.test(message) ? place.replaceAll(/\[\d+\]/g, '[*]') : message,
  );
  return [...new Set(places)];
}

describe('another id than the named one:', () => {
  let right: readonly VerifiedInteraction['faults'][];
  let confused: readonly VerifiedInteraction['faults'][];

  beforeAll(async () => {
    const { hr, held } = consumerWithParts();
    for (const [description, { operation, given, request = {}, example }] of Object.entries(cases)) {
      const { run } = hr.interaction(operation, { given, request, example, description } as never);
      const path = operations[operation].path.replace('{personId}', '4711');
      // oxlint-disable-next-line no-await-in-loop -- in this order
      await run(({ baseUrl, token }) =>
        fetch(`${baseUrl}${path}?${new URLSearchParams(request.query).toString()}`, {
          headers: { authorization: `Bearer ${token}` },
        }),
      );
    }
    right = await faultsOf(held());
    confused = await faultsOf(
      held(),
      Object.values(cases).map((each) => each.confuse),
    );
  });

  test.each(Object.entries(cases).map(([name, { place }], index) => ({ name, place, index })))(
    '$name',
    ({ place, index }) => {
      expect(right[index]).toEqual([]);
      expect(placesOfIds(confused[index])).toEqual(place === undefined ? [] : [`body ${place}`]);
    },
  );
});

test('ids are compared even if the example of a pact has none', async () => {
  const rules = { $: { matchers: [{ match: 'type', min: 1 }] } };
  const states = [{ name: 'a person', params: { id: '4711' } }];
  const interaction: TestInteraction = { states, response: [{ firstName: 'Ada' }], rules };
  const { interactions } = pactOf('ids', [interaction]);
  expect(await faultsOf(interactions)).toEqual([[]]);
  const message = 'expected "4711", which a state names, got another value.';
  expect(await faultsOf(interactions, [setId('id', '4712')])).toEqual([[{ place: 'body $[*].id', message }]]);
});

test('an example with another id than the only one that the states name is refused', () => {
  const { hr } = consumerWithParts();
  const declare = (id: string) =>
    hr.interaction('listPersons', { given: ['a person', { id: '4711' }], example: [{ id }, { id: '5' }] });
  expect(() => declare('99')).toThrow(
    'example: the id at $[*].id is not the one that "given" or the path names: 4711. Use that id, or leave the field out.',
  );
  expect(() => declare('4711')).not.toThrow();
});
