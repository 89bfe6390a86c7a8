import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { HrClientEvent } from '@hr/client';
import type { Problem } from '@hr/schemas';
import fc from 'fast-check';
import { testScale } from 'tooling-vitest/test-scale';
import { beforeEach, describe, expect, test } from 'vitest';
import { ADVISORY_LOCKS, drivers, repetitions } from './drivers.ts';
import { deleteExpiredKeys } from '../src/payroll/submit-variable-payment.ts';
import { newHrClient } from './hr-client.ts';
import { newToken } from './oauth-form.ts';
import { contractRecords, sharedService } from './service.ts';

const path = (contract = 'c-1', period = '2026-03') =>
  `/api/v1/payrollContract/${contract}/variable-payments?billingPeriod=${period}`;
const bonus = { compensationComponentId: 'BONUS', amount: 250 };

interface Submission {
  readonly contract: string;
  readonly billingPeriod: string;
  readonly correctionPeriod?: string | undefined;
}

/** What a submission comes to. */
function meaning({ billingPeriod, correctionPeriod = billingPeriod, ...values }: Submission): unknown {
  return JSON.parse(JSON.stringify({ billingPeriod, correctionPeriod, ...values }));
}

const escaped = (text: string): string => text.replaceAll(/\w/g, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`);

/** The JSON of a body in another order, with white space, escaped texts, and numbers with an exponent. */
function otherwise(body: object): string {
  const members = Object.entries(body).filter(([, value]) => value !== undefined);
  return ` {${members
    .toReversed()
    .map(([name, value]) => `\n"${name}" : ${typeof value === 'number' ? `${value}e0` : `"${escaped(String(value))}"`}`)
    .join()}} `;
}

interface Submitted {
  readonly key: string;
  readonly at?: string;
  readonly body?: unknown;
  readonly authorization?: string;
}

describe.each(drivers)('a payment with an Idempotency-Key on %s', (driver) => {
  const service = sharedService(driver, {}, [...contractRecords(), ...contractRecords('p-1', 'c-2').slice(1)]);
  let keys = 0;
  let key: string;
  beforeEach(() => {
    key = `key/${++keys}`;
  });

  const submit = ({ key: sent, at = path(), body = bonus, authorization }: Submitted) =>
    service.send('POST', at, { headers: { 'idempotency-key': sent, ...(authorization && { authorization }) }, body });
  const count = async (table: string): Promise<number> => {
    const [row] = await service.database.query<{ count: number }>(`select count(*)::int as count from ${table}`);
    return row?.count ?? 0;
  };
  const payments = (): Promise<number> => count('variable_payment');

  const submitWith = ({ contract, billingPeriod, ...body }: Submission, drawn: string, write = JSON.stringify) =>
    submit({ key: drawn, at: path(contract, billingPeriod), body: write(body) });

  /** Makes what is kept of all keys so much older. */
  const age = (interval: string): Promise<unknown> =>
    service.database.query('update idempotency_key set created_at = created_at - $1::interval', [interval]);

  test('is audited as one change, and each replay as a read', async () => {
    await submit({ key });
    await submit({ key });
    const events = await service.database.query(
      `select access, elements, person_id, payroll_contract_id, object_id from audit_event
      where operation = 'submitVariablePayment' order by id desc limit 2`,
    );
    const [payment] = await service.database.query<{ id: string }>('select max(id)::text as id from variable_payment');
    const event = { access: 'change', person_id: 'p-1', payroll_contract_id: 'c-1', object_id: payment?.id };
    expect(events).toEqual([
      { ...event, access: 'read', elements: 1 },
      { ...event, elements: 1 },
    ]);
  });

  test('is found by operators with its key, as the payments of other clients with the same key are', async () => {
    const authorization = `Bearer ${await newToken(service, await service.client())}`;
    await submit({ key });
    await submit({ key, authorization });
    const list = `/operator/v1/variable-payments?idempotencyKey=none,${encodeURIComponent(key)}`;
    const { body } = await service.send('GET', list, { scope: 'operator:read' });
    expect(body).toMatchObject([{ idempotencyKey: key }, { idempotencyKey: key }]);
    expect(new Set((body as { submittedBy: string }[]).map(({ submittedBy }) => submittedBy)).size).toBe(2);
  });

  test('is the same where it means the same, however it is written, and otherwise refused', async () => {
    const period = fc.constantFrom('2026-03', '2026-04');
    const contract = fc.constantFrom('c-1', 'c-1', 'c-2');
    const value = fc.constantFrom(0, -0, 0.1 + 0.2, 0.3, -250);
    const members = {
      contract,
      billingPeriod: period,
      correctionPeriod: period,
      compensationComponentId: fc.constantFrom('A', 'a'),
      amount: fc.constantFrom(0, -0, 0.3, 0.300_000_000_000_001, -250),
      hours: value,
      days: value,
      hourlyFactor: value,
      percentage: value,
    };
    const submission = fc.record(members, {
      requiredKeys: ['contract', 'billingPeriod', 'compensationComponentId', 'amount'],
    });
    const names = Object.keys(members) as (keyof typeof members)[];
    const changed = fc.subarray(names, { maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(submission, submission, changed, async (one, source, differing) => {
        const drawn = randomUUID();
        const other = { ...one, ...Object.fromEntries(differing.map((name) => [name, source[name]])) };
        const first = await submitWith(one, drawn);
        const before = await payments();
        const again = await submitWith(other, drawn, otherwise);
        const isSame = isDeepStrictEqual(meaning(one), meaning(other));
        expect(first.status).toBe(200);
        expect(again).toMatchObject(isSame ? { status: 200, body: first.body } : { status: 422 });
        expect(await payments()).toBe(before);
      }),
      { numRuns: repetitions(40, driver) * testScale },
    );
  });

  test('is another one for another client with the same key', async () => {
    const before = await payments();
    const authorization = `Bearer ${await newToken(service, await service.client())}`;
    expect((await submit({ key })).status).toBe(200);
    expect((await submit({ key, authorization, body: { ...bonus, amount: 1 } })).status).toBe(200);
    expect((await submit({ key, authorization, body: { ...bonus, amount: 1 } })).status).toBe(200);
    expect(await payments()).toBe(before + 2);
  });

  test('leaves its key free when it fails', async () => {
    const before = await count('idempotency_key');
    expect((await submit({ key, at: path('nothing') })).status).toBe(404);
    expect((await submit({ key, body: { ...bonus, amount: '1' } })).status).toBe(400);
    expect(await count('idempotency_key')).toBe(before);
    expect((await submit({ key })).status).toBe(200);
  });

  test('is kept for a day, and deleted some time later', async () => {
    await submit({ key });
    const before = await payments();
    await age('23 hours 59 minutes');
    expect((await submit({ key, at: path('c-2') })).status).toBe(422);
    await age('1 minute');
    expect((await submit({ key, at: path('c-2') })).status).toBe(200);
    expect(await payments()).toBe(before + 1);
    await age('1 day');
    expect((await submit({ key: 'another' })).status).toBe(200);
    expect(await deleteExpiredKeys(service.database)).toBe(false);
    expect(await count('idempotency_key')).toBe(1);
  });

  test('is one payment a day, however many use old keys at once, also while these are deleted', async () => {
    const submission = fc.tuple(fc.nat(3), fc.constantFrom(1, 1, 1, 2), fc.nat(19));
    const day = fc.array(submission, { minLength: 30, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(fc.array(day, { minLength: 2, maxLength: 3 }), async (days) => {
        const drawn = randomUUID();
        const paid: string[] = [];
        // oxlint-disable no-await-in-loop -- one day after the other
        for (const submissions of days) {
          const answers = await Promise.all(
            submissions.map(async ([name, amount, deletes]) => {
              const component = `${drawn} ${name}`;
              const sent = { key: `${drawn}/${name}`, body: { compensationComponentId: component, amount } };
              const { status, body } = await submit(sent);
              if (deletes === 0) await deleteExpiredKeys(service.database);
              return { status, component, payment: JSON.stringify(body) };
            }),
          );
          expect(answers.filter(({ status }) => ![200, 409, 422].includes(status))).toEqual([]);
          const made = new Set(answers.flatMap(({ status, payment }) => (status === 200 ? [payment] : [])));
          const components = new Set(answers.map(({ component }) => component));
          expect(made.size).toBe(components.size);
          paid.push(...components);
          await age('1 day');
        }
        // oxlint-enable no-await-in-loop
        const stored = await service.database.query<{ id: string }>(
          'select compensation_component_id as id from variable_payment where starts_with(compensation_component_id, $1)',
          [drawn],
        );
        expect(stored.map(({ id }) => id).toSorted()).toEqual(paid.toSorted());
      }),
      { numRuns: repetitions(6, driver) * testScale, endOnFailure: true },
    );
  });

  test('leaves nothing that could name anybody but the payment itself', async () => {
    await submit({ key: 'bonus-of-Lindqvist' });
    const kept = await service.database.query(`select encode(key_hash, 'escape') as hash, * from idempotency_key`);
    expect(JSON.stringify(kept)).not.toContain('Lindqvist');
    await service.database.query('delete from variable_payment');
    expect(await count('idempotency_key')).toBe(0);
  });

  test('whose key is sent twice is refused, beside what else is wrong', async () => {
    // As Node joins a header that is repeated.
    const { status, body } = await submit({ key: `${key}, ${key}`, body: {} });
    const faults = (body as Problem).errors?.map(({ pointer, code }) => `${pointer} ${code}`);
    expect([status, faults]).toEqual([400, ['/Idempotency-Key wrong-format', '/compensationComponentId required']]);
  });

  test.runIf(driver === 'postgres')('of @hr/client that is in flight is sent again, and made once', async () => {
    const events: HrClientEvent[] = [];
    const hr = await newHrClient(service, { onEvent: (event) => void events.push(event) });
    const submitKeyed = (): Promise<unknown> =>
      hr.payroll.submitVariablePayment('c-1', { ...bonus, billingPeriod: '2026-03', idempotencyKey: key });
    const before = await payments();
    let submitted: Promise<unknown>[] = [];
    await service.database.transaction(async (transaction) => {
      // The first one gets as far as its payment, and stays there.
      await transaction.query('lock table variable_payment in share mode');
      submitted = [submitKeyed()];
      await expect.poll(() => transaction.query(ADVISORY_LOCKS)).toHaveLength(1);
      submitted.push(submitKeyed());
      await expect.poll(() => events).toContainEqual(expect.objectContaining({ type: 'response', status: 409 }));
    });
    const [first, second] = await Promise.all(submitted);
    expect(second).toEqual(first);
    expect(events).toContainEqual(expect.objectContaining({ type: 'retry', code: 'conflict' }));
    expect(await payments()).toBe(before + 1);
  });
});
