import { randomUUID } from 'node:crypto';
import { clientCredentials } from '@hr/auth';
import { createFakeHrCloud, type FakeHrCloud } from '@hr/testing/fake';
import { exampleTokens } from '@hr/testing/pact';
import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { expect, test } from 'vitest';
import { createHrClient, type HrClient } from '../src/index.ts';
import { openOutbox, paymentContent, type Outbox, type OutboxEntry, type Reconciliation } from '../src/mirror/index.ts';
import { newFile } from './mirror-cloud.ts';

const baseUrl = 'https://hr.example.com';
const contract = '1000-20001';
const paymentOf = (amount: number) => ({ billingPeriod: '2026-12', compensationComponentId: 'BONUS', amount });

/** What happens to a request: the program is killed, the connection breaks, or the service responds with a status. */
type Fault = 'killed-before' | 'killed-after' | 'lost-request' | 'lost-response' | 403 | 404 | 405 | undefined;

/** A program with an outbox. */
class Program implements Disposable {
  readonly fake: FakeHrCloud = createFakeHrCloud({ persons: 0 });
  readonly hr: HrClient;
  /** Another program, of the same client, without an outbox. */
  readonly sibling: HrClient;
  /** Another client of the service. */
  readonly other: HrClient;
  outbox: Outbox;
  /** Those of the next requests of the program. */
  faults: readonly Fault[] = [];
  /** Whether the sibling submitted payments without keys. */
  hasKeyless = false;
  readonly #file = newFile();

  constructor() {
    const { id: personId } = this.fake.persons.add({ lastName: 'Ek' });
    this.fake.contracts.add({ payrollContractId: contract, personId, start: '2026-01-01' });
    const credentials = { clientId: 'other', clientSecret: 's' };
    this.fake.state('an API client', credentials);
    const fetch = (url: string, init: RequestInit): Promise<Response> => this.fake.fetch(new Request(url, init));
    const settings = { baseUrl, auth: async () => exampleTokens.valid, retry: { limit: 0 } };
    this.sibling = createHrClient({ ...settings, fetch });
    this.other = createHrClient({ ...settings, fetch, auth: clientCredentials({ baseUrl, fetch, ...credentials }) });
    this.hr = createHrClient({ ...settings, fetch: (url, init) => this.#send(() => fetch(url, init)) });
    this.outbox = this.#open();
  }

  /** Runs a call of the outbox, unless the program is killed meanwhile. */
  async run<Result>(faults: readonly Fault[], call: (outbox: Outbox) => Promise<Result>): Promise<Result | undefined> {
    const { outbox } = this;
    this.faults = faults;
    try {
      return await call(outbox);
    } catch (error) {
      if (this.outbox === outbox && !faults.some((fault) => typeof fault === 'string')) throw error;
      return undefined;
    } finally {
      this.faults = [];
    }
  }

  async #send(request: () => Promise<Response>): Promise<Response> {
    const [fault, ...faults] = this.faults;
    this.faults = faults;
    if (typeof fault === 'number') return new Response(undefined, { status: fault });
    if (fault === 'lost-request') return Response.error();
    if (fault === 'killed-before') this.#restart();
    const response = await request();
    if (fault === 'killed-after') this.#restart();
    return fault === 'lost-response' ? Response.error() : response;
  }

  #open(): Outbox {
    return openOutbox({ file: this.#file, source: baseUrl, idempotency: 'provider-supports' });
  }

  /** What a killed program wanted to store is not stored: its file is closed. */
  #restart(): void {
    this.outbox.close();
    this.outbox = this.#open();
  }

  [Symbol.dispose](): void {
    this.outbox.close();
  }
}

type Step = (program: Program) => unknown;

const amount = fc.constantFrom(1, 2);
const fault = (...statuses: Fault[]): fc.Arbitrary<Fault> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(undefined) },
    fc.constantFrom<Fault>('killed-before', 'killed-after', 'lost-request', 'lost-response', ...statuses),
  );

const submit = fc.record({ value: amount, failure: fault(403) }).map(
  ({ value, failure }): Step =>
    (program) =>
      program.run([failure], (outbox) => outbox.submit(program.hr, contract, paymentOf(value))),
);

const resend = fc.record({ number: fc.nat(), failure: fault(403) }).map(({ number, failure }): Step => (program) => {
  const unknown = [...program.outbox.entries({ state: 'unknown' })].filter(({ resentAs }) => resentAs === undefined);
  const entry = unknown[number % unknown.length];
  return entry && program.run([failure], (outbox) => outbox.resend(program.hr, entry.id));
});

const elsewhere = fc
  .record({ value: amount, by: fc.constantFrom('other', 'sibling'), hasKey: fc.boolean() })
  .map(({ value, by, hasKey }): Step => (program) => {
    if (by === 'sibling' && !hasKey) program.hasKeyless = true;
    const client = by === 'sibling' ? program.sibling : program.other;
    return client.payroll.submitVariablePayment(contract, {
      ...paymentOf(value),
      ...(hasKey && { idempotencyKey: randomUUID() }),
    });
  });

const decide = fc
  .record({ number: fc.nat(), isApproved: fc.boolean(), reason: fc.constantFrom(undefined, 'As agreed.', 'Twice.') })
  .map(({ number, isApproved, reason }): Step => ({ fake }) => {
    const submitted = fake.payments.list().filter(({ state }) => state === 'submitted');
    const payment = submitted[number % submitted.length];
    if (payment) fake.payments[isApproved ? 'approve' : 'reject'](payment.id, reason);
  });

const expire = fc.constant<Step>(({ fake }) => fake.expireCursors('history'));

const reconcile = fc.tuple(fault(403, 404, 405), fault(403)).map((faults): Step => async (program) => {
  const result = await program.run(faults, (outbox) => outbox.reconcile(program.hr));
  expectLaw(program, result);
});

type Decided = Pick<OutboxEntry, 'decidedAt' | 'reason'> & { readonly state: string };
const decisionOf = ({ state, decidedAt, reason }: Decided): Decided => ({ state, decidedAt, reason });

function expectLaw({ fake, outbox, hasKeyless }: Program, result: Reconciliation | undefined): void {
  const payments = fake.payments.list();
  const decided = payments.filter(({ state }) => state !== 'submitted');
  const entries = [...outbox.entries()];

  const decisions = new Map(decided.map((payment) => [payment.idempotencyKey, decisionOf(payment as Decided)]));
  const marked = entries.filter(({ state, decidedAt }) => state === 'rejected' || decidedAt !== undefined);
  expect(marked.map(decisionOf)).toEqual(marked.map(({ id }) => decisions.get(id)));
  const keys = new Set(payments.map(({ idempotencyKey }) => idempotencyKey));
  expect(entries.filter(({ id, state }) => state === 'refused' && keys.has(id))).toEqual([]);
  const approved = decided.filter(({ state }) => state === 'approved');
  for (const [content, equal] of Map.groupBy(entries, (each) => paymentContent(contract, each.payment))) {
    const listed = approved.filter((each) => paymentContent(contract, each) === content);
    expect(equal.filter(({ state }) => state === 'approved').length).toBeLessThanOrEqual(listed.length);
  }

  if (!result || result.withoutDecisions) return;
  const undecided = entries.filter(({ id }) => !decisions.has(id));
  expect(entries.filter(({ decidedAt }) => decidedAt === undefined)).toEqual(undecided);
  expect(undecided.filter(({ state }) => state === 'approved' && !hasKeyless)).toEqual([]);
  expect(result.open).toBe(entries.filter(({ state }) => state === 'sent' || state === 'unknown').length);
}

test('after any submissions, kills and decisions, each decided payment is marked so, and no other one', async () => {
  const steps = fc.array(
    fc.oneof({ weight: 3, arbitrary: submit }, resend, elsewhere, { weight: 3, arbitrary: decide }, expire, {
      weight: 3,
      arbitrary: reconcile,
    }),
    { maxLength: 30, size: 'max' },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      using program = new Program();
      // oxlint-disable-next-line no-await-in-loop -- one step after the other
      for (const step of all) await step(program);
      const before = [...program.outbox.entries({ state: 'unknown' })];
      const last = await program.outbox.reconcile(program.hr);
      expect(last.withoutDecisions).toBeUndefined();
      expectLaw(program, last);
      const unknown = new Set([...program.outbox.entries({ state: 'unknown' })].map(({ id }) => id));
      const keys = new Set(program.fake.payments.list().map(({ idempotencyKey }) => idempotencyKey));
      // What never arrived stays unknown.
      const settled = before.filter(({ id }) => !keys.has(id) && !unknown.has(id));
      expect(program.hasKeyless ? [] : settled).toEqual([]);
    }),
    { numRuns: 60 * testScale },
  );
});
