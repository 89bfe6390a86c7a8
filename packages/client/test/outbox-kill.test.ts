import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openOutbox } from '../src/mirror/index.ts';
import { json, service } from './service.ts';

const ROWS = 400;
const payment = { billingPeriod: '2026-12', correctionPeriod: '2026-12', compensationComponentId: 'BONUS', amount: 1 };
const nothing = (): void => undefined;

test('a program that is killed at any moment sends no payment twice, and none without an entry', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'outbox.db');
  const source = 'a-client at an-address';
  let beforeResponse = nothing;
  let afterResponse = nothing;
  await using provider = await service((response, request, index) => {
    beforeResponse();
    json({ payrollContractId: 'any', ...payment })(response, request, index);
    response.on('close', () => afterResponse());
  });

  const submitRows = () =>
    fork(new URL('submit-rows.ts', import.meta.url), [provider.url, file, source, `${ROWS}`], {
      execArgv: ['--conditions=@hr/source'],
    });
  // Some moments follow the requests; the others are spread over the whole run, the start included.
  const moments = [0, 'before', 'after', 250, 'before', 'after', 400, 550, 700] as const;
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

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'outbox-kill-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
