import { startFakeHrCloud, type RunningFakeHrCloud } from '@hr/testing/fake';
import { scenarioStates, VerificationFailedError, verifyProvider } from '@hr/testing/provider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jsonFile, pactOf } from './pact-file.ts';
import { startProvider, type ProviderUnderTest } from './provider-under-test.ts';

const bank = { iban: 'DE02120300000000202051' };
const home = { street: 'Münsterplatz', houseNumber: '1', city: 'Ulm' };
const box = { postOfficeBox: '12 34', zipCode: '89073', city: 'Ulm' };
const bonus = { compensationComponentId: 'BONUS', amount: 250 };

const states = [{ name: 'a person', params: { id: '4711', bankDetails: { ...bank, bic: 'AAAADEFF', payee: 'Ek' } } }];
const patch = { states, method: 'PATCH', path: '/api/v1/persons/4711' };
const pact = pactOf('writer', [
  { ...patch, body: { bankDetails: bank, addresses: [home, box] } },
  { ...patch, body: { addresses: [] } },
  {
    states: [{ name: 'a contract', params: { payrollContractId: '1-77' } }],
    method: 'POST',
    path: '/api/v1/payrollContract/1-77/variable-payments',
    query: { billingPeriod: ['2026-01'] },
    body: bonus,
  },
]);

/** A request, and how the right HR cloud handles it. */
interface Handled {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly answer: (body?: unknown) => Promise<Response>;
}

type Persons = readonly Readonly<Record<string, unknown>>[];

/** Lists other persons than are stored, depending on how often one has been changed. */
function listing(personsOf: (persons: Persons, changes: number) => Persons) {
  let changes = 0;
  return async ({ method, path, answer }: Handled): Promise<Response> => {
    if (method !== 'GET' || path !== '/api/v1/persons') {
      if (method === 'PATCH') changes += 1;
      return answer();
    }
    const response = await answer();
    return Response.json(personsOf((await response.json()) as Persons, changes));
  };
}

const notFound = 'expected the payment of the request once after its approval, got it';
const isPayment = ({ method }: Handled): boolean => method === 'POST';

/** Providers that answer as agreed, or nearly so, and store something else. */
const providers: Record<
  string,
  {
    handle: (handled: Handled, fake: RunningFakeHrCloud) => Promise<Response>;
    faults: readonly string[];
    losesPayments?: true;
  }
> = {
  'the right one': { handle: ({ answer }) => answer(), faults: [] },
  'one that ignores changes': {
    handle: ({ method, answer }) => (method === 'PATCH' ? answer({}) : answer()),
    faults: [
      'read back $[*].address.street: expected the value of the request, got another.',
      'read back $[*].bankDetails.bic: expected no value, as the request sends none, got another.',
    ],
  },
  'one that merges': {
    handle: ({ method, answer }) =>
      method === 'PATCH' ? answer({ addresses: [home], bankDetails: { ...bank, payee: 'Ek' } }) : answer(),
    faults: ['read back $[*].bankDetails.payee: expected no value, as the request sends none, got another.'],
  },
  'one with the last address as the default': {
    handle: ({ method, answer }) =>
      method === 'PATCH' ? answer({ addresses: [box, home], bankDetails: bank }) : answer(),
    faults: ['read back $[*].address.street: expected the value of the request, got none.'],
  },
  'one that changes what is not sent': {
    handle: ({ method, body, answer }) =>
      method === 'PATCH' ? answer({ bankDetails: bank, ...(JSON.parse(body) as object) }) : answer(),
    faults: ['read back $[*].bankDetails: expected no change, as the request does not send it, got one.'],
  },
  'one that loses a field': {
    handle: listing((persons, changes) =>
      persons.map((person) => ({ ...person, ...(changes !== 1 && { gender: 'M' }) })),
    ),
    faults: Array.from(
      { length: 2 },
      () => 'read back $[*].gender: expected no change, as the request does not send it, got one.',
    ),
  },
  'one that changes another person': {
    handle: listing((persons, changes) => [...persons, { id: '4712', lastName: `Ek ${changes}` }]),
    faults: Array.from(
      { length: 2 },
      () => 'read back $[*].lastName: expected no change, as the request is for another person, got one.',
    ),
  },
  'one with a field of its own': {
    handle: listing((persons, changes) => persons.map((person) => ({ ...person, version: changes }))),
    faults: [],
  },
  'one that lists no persons': {
    handle: async ({ method, answer }) => (method === 'GET' ? new Response('<html>') : answer()),
    faults: Array.from({ length: 2 }, () => 'read back $: expected a list, got other content.'),
  },
  'one that lists payments at once': {
    async handle(handled, fake) {
      const response = await handled.answer();
      if (isPayment(handled)) fake.payments.approveAll();
      return response;
    },
    faults: ['read back $: expected the same payments as before, as nobody has approved this one, got others.'],
  },
  'one that pays another amount': {
    handle: (handled) => handled.answer(isPayment(handled) ? { ...bonus, amount: 251 } : undefined),
    faults: [`read back $: ${notFound} 0 times.`],
  },
  'one that pays what is not sent': {
    handle: (handled) => handled.answer(isPayment(handled) ? { ...bonus, hours: 1 } : undefined),
    faults: [`read back $: ${notFound} 0 times.`],
  },
  'one that pays for another month': {
    handle: (handled) => handled.answer(isPayment(handled) ? { ...bonus, correctionPeriod: '2025-12' } : undefined),
    faults: [`read back $: ${notFound} 0 times.`],
  },
  'one that pays twice': {
    async handle(handled) {
      if (isPayment(handled)) await handled.answer();
      return handled.answer();
    },
    faults: [`read back $: ${notFound} 2 times.`],
  },
  'one that loses payments': {
    handle: ({ answer }) => answer(),
    losesPayments: true,
    faults: [`read back $: ${notFound} 0 times.`],
  },
};

describe('what a provider stores is read back:', () => {
  let fake: RunningFakeHrCloud;
  let server: ProviderUnderTest;
  let provider: (typeof providers)[string] = { handle: ({ answer }) => answer(), faults: [] };
  let pacts: readonly string[];
  beforeAll(async () => {
    pacts = [await jsonFile(pact)];
    fake = await startFakeHrCloud();
    server = await startProvider((response, { method, path, headers, body: sent }) => {
      const answer: Handled['answer'] = (body = sent && JSON.parse(sent)) => {
        const { authorization = '', 'content-type': type = '' } = headers;
        return fake.fetch(
          new Request(`http://fake${path}`, {
            method,
            headers: { authorization, ...(type && { 'content-type': type }) },
            ...(method !== 'GET' && { body: JSON.stringify(body) }),
          }),
        );
      };
      void (async () => {
        const answered = await provider.handle({ method, path, body: sent, answer }, fake);
        response.writeHead(answered.status, Object.fromEntries(answered.headers)).end(await answered.text());
      })();
    });
  });
  afterAll(async () => {
    await server.stop();
    await fake.stop();
  });

  test.each(Object.entries(providers))('%s', async (_, given) => {
    provider = given;
    const { interactions } = await verifyProvider({
      provider: server,
      source: { pacts },
      states: scenarioStates((scenario) => fake.load(scenario)),
      reset: () => fake.reset(),
      token: () => 'contract-token',
      approvePayments: () => (given.losesPayments ? undefined : fake.payments.approveAll()),
    }).catch((error: unknown) => {
      if (error instanceof VerificationFailedError) return error.result;
      throw error;
    });
    const found = interactions.flatMap(({ faults }) => faults.map(({ place, message }) => `${place}: ${message}`));
    expect(found.filter((fault) => given.faults.includes(fault))).toEqual(given.faults);
    // An ignored change differs in each field.
    expect(found.filter((fault) => !fault.startsWith('read back ') || given.faults.length === 0)).toEqual([]);
  });
});
