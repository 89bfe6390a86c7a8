import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { recordsFile } from '../src/backend/config.ts';
import type { DraftRead } from '../src/backend/draft-routes.ts';
import type { DraftVersion } from '../src/backend/drafts.ts';
import { Records } from '../src/backend/records.ts';
import type { EditScreen } from '../src/edit/stored-value.ts';
import { startConsoleProcess, type ConsoleProcess } from './console-process.ts';
import { copyOfDemo } from './start-test-console.ts';

const PERSON = '100011';
/** Of 512 bytes, or of 1,024 with some shells. */
const MAX_BLOCKS = 1024;
const DRAFT = { user: 'local#mara.demo', name: 'payment' };
const reads = [
  'session',
  'people',
  `people/${PERSON}`,
  'contracts/1000-20007',
  'today?date=2026-10-29',
  'payments?state=all',
  'payments/batches',
  'absences?from=2026-10-01&to=2026-10-31',
  'time',
  'time/team?month=2026-10',
  'system/sync',
  'system/clients',
  'system/audit',
  'explorer',
];

async function send(console: ConsoleProcess, cookie: string, path: string, body?: object): Promise<Response> {
  return await fetch(`${console.origin()}/bff/${path}`, {
    headers: { cookie, origin: console.origin(), 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
}

test('a full disk stops what has to be stored before it is sent, and nothing else, and loses nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hr-console-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'mirror.db'), await copyOfDemo(), { mode: 0o600 });
  const baseUrl = inject('demoUrl');
  await using full = await startConsoleProcess({ folder, baseUrl, maxBlocks: MAX_BLOCKS });
  const cookie = `hr-console=${full.session()}`;
  const address = `people/${PERSON}/address`;
  const { stored } = (await (await send(full, cookie, address)).json()) as EditScreen;

  let kept: { readonly savedAt: string; readonly text: string } | undefined;
  let last: Response | undefined;
  for (let round = 0; last?.ok !== false; round++) {
    const text = `${round} `.repeat(10_000);
    // oxlint-disable no-await-in-loop -- one version after the other
    last = await send(full, cookie, 'drafts', { ...DRAFT, savedAt: kept?.savedAt, patch: { text } });
    if (last.ok) kept = { text, savedAt: ((await last.json()) as DraftVersion).savedAt };
    // oxlint-enable no-await-in-loop
  }
  // There may be room for less than that. Whatever is written next is beyond the end that a file may have.
  using records = new Records(recordsFile(folder));
  // oxlint-disable-next-line no-await-in-loop -- one write after the other
  while ((await stat(`${recordsFile(folder)}-wal`)).size < 2 * MAX_BLOCKS * 1024) {
    records.record({ id: 'local#mara.demo' }, 'export');
  }
  const change = { version: stored.version, fields: { ...stored.fields, city: randomUUID() }, keepsIban: false };
  const payment = { billingPeriod: '2026-11', compensationComponentId: '2900', amount: 5 };
  const rows = [{ contractId: '1000-20007', payment }];
  const refused = [
    last,
    ...(await Promise.all([
      send(full, cookie, address, change),
      send(full, cookie, 'payments/batches', { batch: randomUUID(), name: 'Full', rows }),
    ])),
  ];
  for (const response of refused) {
    // oxlint-disable-next-line no-await-in-loop -- they are there
    expect([response.status, await response.json()]).toMatchObject([507, { code: 'cannot-store' }]);
  }
  const answers = await Promise.all(reads.map(async (path) => [path, (await send(full, cookie, path)).status]));
  expect(answers).toEqual(reads.map((path) => [path, 200]));
  await full[Symbol.asyncDispose]();
  expect(full.output()).not.toContain('    at ');

  await using running = await startConsoleProcess({ folder, baseUrl });
  expect((await (await send(running, cookie, address)).json()) as EditScreen).toMatchObject({ stored });
  const draft = (await (
    await send(running, cookie, `drafts?${new URLSearchParams(DRAFT).toString()}`)
  ).json()) as DraftRead;
  expect(draft.stored).toMatchObject({ savedAt: kept?.savedAt, content: { text: kept?.text } });
});
