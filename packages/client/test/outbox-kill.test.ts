import { fork } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startFakeHrCloud } from '@hr/testing/fake';
import { exampleTokens } from '@hr/testing/pact';
import { testScale } from 'tooling-vitest/test-scale';
import { expect, test } from 'vitest';
import { createHrClient } from '../src/index.ts';
import { openOutbox } from '../src/mirror/index.ts';
import { bundleProgram } from './bundle-program.ts';
import { newFile } from './mirror-cloud.ts';
import { json, service } from './service.ts';

const ROWS = 200;
const payment = { billingPeriod: '2026-12', correctionPeriod: '2026-12', compensationComponentId: 'BONUS', amount: 1 };
const KILLS = Math.ceil(6 * testScale);
const nothing = (): void => undefined;

test('a program that is killed at any moment sends no payment twice, and none without an entry', async () => {
  const folder = dirname(newFile());
  const file = join(folder, 'outbox.db');
  const program = await bundleProgram(new URL('submit-rows.ts', import.meta.url), folder);
  const source = 'a-client at an-address';
  let beforeResponse = nothing;
  let afterResponse = nothing;
  await using provider = await service((response, request, index) => {
    beforeResponse();
    json({ payrollContractId: 'any', ...payment })(response, request, index);
    response.on('close', () => afterResponse());
  });

  const submitRows = () => fork(program, [provider.url, file, source, `${ROWS}`]);
  // Some moments follow the requests; the others are spread over the whole run, the start included.
  const moments = [0, 'before', 'after', 100, 'before', 'after', 150, 200, 250] as const;
  // oxlint-disable no-await-in-loop -- one after the other
  for (const moment of moments) {
    const child = submitRows();
    const killed = once(child, 'exit');
    const kill = (): void => void child.kill('SIGKILL');
    beforeResponse = afterResponse = nothing;
    if (moment === 'before') beforeResponse = kill;
    else if (moment === 'after') afterResponse = kill;
    else await delay(moment).then(kill);
    await killed;
  }
  // oxlint-enable no-await-in-loop
  beforeResponse = afterResponse = nothing;
  expect(await once(submitRows(), 'exit')).toEqual([0, null]);

  using outbox = openOutbox({ file, source });
  const entries = [...outbox.entries()];
  const requests = new Map(provider.requests.map(({ headers, target }) => [headers['idempotency-key'], target]));
  const unknown = entries.filter(({ state }) => state === 'unknown');
  expect(entries).toHaveLength(ROWS);
  expect(requests.size).toBe(provider.requests.length);
  expect(new Set(requests.values()).size).toBe(requests.size);
  expect([...requests.keys()].filter((key) => !entries.some(({ id }) => id === key))).toEqual([]);
  expect(entries.filter(({ id, state }) => !requests.has(id) && state !== 'unknown')).toEqual([]);
  expect(unknown.length).toBeGreaterThan(0);
  expect(unknown.length).toBeLessThan(ROWS / 2);
});

test('a program that is killed while it takes decisions takes each of them, later', async () => {
  const folder = dirname(newFile());
  const file = join(folder, 'outbox.db');
  const program = await bundleProgram(new URL('reconcile-forever.ts', import.meta.url), folder);
  const source = 'a-client at an-address';
  const fake = await startFakeHrCloud();
  const { id: personId } = fake.persons.add({ lastName: 'Ek' });
  fake.contracts.add({ payrollContractId: 'c', personId, start: '2026-01-01' });
  const hr = createHrClient({ baseUrl: fake.url, auth: async () => exampleTokens.valid });
  using outbox = openOutbox({ file, source });
  const expectDecisions = (): void => {
    const made = new Map(fake.payments.list().map((each) => [each.idempotencyKey, each]));
    const marked = [...outbox.entries()].filter(({ state }) => state !== 'sent');
    expect(marked.map(({ state, decidedAt, reason }) => [state, decidedAt, reason])).toEqual(
      marked.map(({ id }) => [made.get(id)?.state, made.get(id)?.decidedAt, made.get(id)?.reason]),
    );
  };

  // oxlint-disable no-await-in-loop -- one after the other
  for (let kill = 0; kill < KILLS; kill++) {
    for (let row = 0; row < 50; row++) await outbox.submit(hr, 'c', { ...payment, amount: row });
    const child = fork(program, [fake.url, file, source, exampleTokens.valid]);
    const killed = once(child, 'exit');
    await fake.requestsOf('listVariablePaymentDecisions');
    for (const [index, { id, state }] of fake.payments.list().entries()) {
      if (state !== 'submitted') continue;
      fake.payments[index % 3 === 0 ? 'reject' : 'approve'](id, `Decision ${index}`);
      if (index % 20 === 0) await delay(2);
    }
    await delay(10 * kill);
    child.kill('SIGKILL');
    await killed;
    expectDecisions();
    fake.clearRequests();
  }
  // oxlint-enable no-await-in-loop
  await outbox.reconcile(hr);
  expectDecisions();
  expect([...outbox.entries({ state: 'sent' })]).toEqual([]);
  await fake.stop();
});
