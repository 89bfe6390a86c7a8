import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openOutbox } from '@hr/client/mirror';
import { startFakeHrCloud } from '@hr/testing/fake';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { homeFolder, runHr, type Ended } from './run-hr.ts';
import { openTerminal } from './terminal.ts';

const main = join(import.meta.dirname, '../src/main.ts');
const fake = await startFakeHrCloud();
afterAll(() => fake.stop());

let home: string;
let env: Record<string, string>;
beforeEach(async () => {
  fake.reset();
  const { id: personId } = fake.persons.add({ lastName: 'Ek' });
  for (const payrollContractId of ['1-1', '1-2', '1-3']) {
    fake.contracts.add({ payrollContractId, personId, start: '2026-01-01' });
  }
  home = await homeFolder();
  await writeFile(join(home, 'config.toml'), '[profiles.default]\nidempotency = "unsupported"\n', { mode: 0o600 });
  env = { HR_HOME: home, HR_BASE_URL: fake.url, HR_CLIENT_ID: fake.clientId, HR_CLIENT_SECRET: fake.clientSecret };
});

const header = 'contractId,billingPeriod,compensationComponentId,amount';
const row = (contract: string, amount: number | string): string => `${contract},2026-12,BONUS,${amount}`;

async function write(name: string, ...lines: string[]): Promise<string> {
  const file = join(home, name);
  await writeFile(file, [header, ...lines].join('\n'));
  return file;
}

const hr = (...args: string[]): Promise<Ended> => runHr(['payments', ...args], { env });
const submit = (file: string, ...flags: string[]): Promise<Ended> => hr('submit', '--file', file, '--yes', ...flags);
const paid = (): string[] =>
  fake.payments.list().map(({ payrollContractId, amount }) => `${payrollContractId}: ${amount}`);
const result = (name = 'payments'): Promise<string> => readFile(join(home, `${name}.result.csv`), 'utf8');
const states = async (name?: string): Promise<(string | undefined)[]> =>
  (await result(name))
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',')[5]);
async function outboxEntries(...flags: string[]): Promise<Record<string, string>[]> {
  return JSON.parse((await hr('outbox', '--json', ...flags)).stdout) as Record<string, string>[];
}

/** The address of a service that issues a token, and then is gone. */
async function onlyTokens(): Promise<string> {
  const server = createServer((_, response) => {
    server.close();
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify({ access_token: 'a-token', token_type: 'Bearer', expires_in: 3600 }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A proxy that holds payments. */
interface Gate extends AsyncDisposable {
  readonly url: string;
  /** Number of payments that it has held. */
  readonly held: number;
  open(): void;
}

/** Forwards requests to the fake. After some payments, it holds those that follow until it is opened. */
async function gateAfter(count: number): Promise<Gate> {
  const gate = Promise.withResolvers<void>();
  let payments = 0;
  let held = 0;
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    const isHeld = url.includes('variable-payments') && ++payments > count;
    if (isHeld) held++;
    void (async () => {
      if (isHeld) await gate.promise;
      const forwarded = request(fake.url + url, { method, headers }, (response) => {
        outgoing.writeHead(response.statusCode ?? 0, response.headers);
        response.pipe(outgoing);
      });
      forwarded.on('error', () => outgoing.destroy());
      incoming.pipe(forwarded);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open: gate.resolve,
    get held() {
      return held;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('submit one payment', () => {
  const bonus = ['submit', '1-1', '--period', '2026-12', '--component', 'BONUS', '--amount', '250'];

  test('it is submitted after a confirmation, and not twice by mistake', async () => {
    const unconfirmed = await hr(...bonus);
    expect(unconfirmed).toMatchObject({ code: 2, stderr: expect.stringContaining('Pass --yes') as string });
    expect(paid()).toEqual([]);

    expect(await hr(...bonus, '--yes')).toEqual({
      code: 0,
      stdout: '',
      stderr: `  2026-12  BONUS  1 payment, sum of amount 250
the payment: 1 sent
`,
    });
    expect(await hr(...bonus, '--yes')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('--again') as string,
    });
    expect(paid()).toEqual(['1-1: 250']);
    expect(await hr(...bonus, '--yes', '--again')).toMatchObject({ code: 0 });
    expect(paid()).toEqual(['1-1: 250', '1-1: 250']);
  });

  test.each([
    [['submit', '1-1', '--period', '2026-13', '--component', 'B', '--hourly-factor', '1'], '--period must be a month'],
    [['submit', '1-1', '--period', '2026-12', '--amount', '1'], '--component is required'],
    [['submit', '1-1', '--period', '2026-12', '--component', 'B'], 'The payment needs at least one of amount, hours'],
    [['submit', '1-1', '--period', '2026-12', '--component', 'B', '--hourly-factor', '1,5'], '--hourly-factor must be'],
    [['submit'], 'Name a payroll contract, or a file'],
    [['submit', '1-1', '--file', 'payments.csv'], 'Name a payroll contract, or a file'],
    [['submit', '--file', 'payments.csv', '--hourly-factor', '1'], '--hourly-factor is for one payment'],
    [['submit', '--file', 'payments.txt'], 'Pass --format csv or --format ndjson'],
    [['submit', '--file', 'package.json', '--format', 'csv', '--result', './package.json'], '--result must not be'],
    [['submit', '--file', 'payments.csv', '--again', '--skip-submitted'], 'cannot be used with'],
  ])('%j is a wrong usage', async (args, message) => {
    expect(await hr(...args, '--yes')).toMatchObject({ code: 2, stderr: expect.stringContaining(message) as string });
  });
});

describe('submit a file', () => {
  test('a dry run checks and sums, and sends nothing', async () => {
    const hidden = '1-2,2026-12,\u001B[2KOTHER,1';
    const file = await write('payments.csv', row('1-1', 0.1), row('1-2', 0.2), row('1-1', 0.1), hidden);
    expect(await submit(file, '--dry-run')).toEqual({
      code: 0,
      stdout: '',
      stderr: `${file}: 4 payments for 2 contracts
  2026-12  [2KOTHER  1 payment, sum of amount 1
  2026-12  BONUS  3 payments, sum of amount 0.4
Warning: rows that are equal, and are each a payment: lines 2, 4
Dry run: nothing was sent.
`,
    });
    expect(paid()).toEqual([]);
    await expect(result()).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('the same rows under another name and in another order are not submitted twice', async () => {
    const file = await write('payments.csv', row('1-1', 1), row('1-2', 2), row('1-1', 1));
    expect(await submit(file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('(lines 2, 4). Delete what is there by mistake, or pass --equal-rows'),
    });
    expect(paid()).toHaveLength(0);
    expect(await submit(file, '--equal-rows')).toMatchObject({ code: 0 });
    expect(paid()).toHaveLength(3);
    const renamed = await write('renamed.csv', row('1-2', '2.0'), row('1-1', 1), row('1-1', 1));
    expect(await submit(renamed)).toMatchObject({ code: 0 });
    expect(paid()).toHaveLength(3);
    expect(await states('renamed')).toEqual(['sent', 'sent', 'sent']);
    expect((await stat(join(home, 'renamed.result.csv'))).mode & 0o777).toBe(0o600);

    expect(await submit(file, '--again', '--equal-rows')).toMatchObject({ code: 0 });
    expect(paid()).toHaveLength(6);
  });

  test('of a changed file, only the changed rows are new, and the person says so', async () => {
    await submit(await write('payments.csv', row('1-1', 1), row('1-2', 2), row('nobody', 3)));
    const file = await write('payments.csv', row('1-1', 1), row('1-2', 2), row('1-3', 3));
    expect(await submit(file)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/\(lines 2, 3\)\. Pass --skip-/),
    });
    expect(paid()).toEqual(['1-1: 1', '1-2: 2']);
    expect(await submit(file, '--skip-submitted')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/left out: lines 2, 3\n.*: 1 sent\n/s),
    });
    expect(await states()).toEqual(['submitted-before', 'submitted-before', 'sent']);
    expect(paid()).toEqual(['1-1: 1', '1-2: 2', '1-3: 3']);
  });

  test('a repeated file that was interrupted is resumed, and not repeated once more', async () => {
    const rows = Array.from({ length: 8 }, (_, index) => row('1-1', index));
    const file = await write('payments.csv', ...rows);
    await submit(file);
    fake.failNext('submitVariablePayment', 403, 8);
    expect(await submit(file, '--again')).toMatchObject({ code: 4 });
    fake.reset();
    fake.contracts.add({ payrollContractId: '1-1', personId: fake.persons.add({}).id, start: '2026-01-01' });
    expect(await submit(file, '--again')).toMatchObject({ code: 0 });
    expect(paid()).toHaveLength(8);
  });

  test('refused rows are reported, and sent again by the next run', async () => {
    const file = await write('payments.csv', row('1-1', 1), row('later', 2));
    const { code, stderr } = await submit(file);
    expect(code).toBe(3);
    expect(stderr).toMatch(/1 sent, 1 refused\n {2}line 3: refused, not-found, request id [\w-]+, entry [\w-]+\n/);
    expect(await submit(await write('bad.csv', row('nobody', 1)))).toMatchObject({ code: 6 });
    fake.contracts.add({ payrollContractId: 'later', personId: fake.persons.add({}).id, start: '2026-01-01' });
    expect(await submit(file)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/left out\.\nRefused or unknown before, and sent again: line 3\n.*: 2 sent\n/s),
    });
    expect(paid()).toEqual(['1-1: 1', 'later: 2']);
    const refused = ['--state', 'refused'];
    const [entry] = await outboxEntries(...refused);
    expect(entry).toMatchObject({ contractId: 'nobody' });
    // It would be taken for the line of the file.
    expect(entry).not.toHaveProperty('row');
    expect(await outboxEntries(...refused, '--all')).toMatchObject([{ contractId: 'later' }, { contractId: 'nobody' }]);
  });

  test.each([
    ['a missing permission', 403, 4],
    ['an unknown outcome', 'lost-request', 7],
  ] as const)('%s stops the run', async (_, failure, code) => {
    fake.failNext('submitVariablePayment', failure, 20);
    const file = await write('payments.csv', ...Array.from({ length: 20 }, (_row, index) => row('1-1', index)));
    expect(await submit(file)).toMatchObject({
      code,
      stderr: expect.stringMatching(/^Stopped: submitVariablePayment/m),
    });
    expect(fake.requests.filter(({ operation }) => operation === 'submitVariablePayment').length).toBeLessThan(9);
    expect((await states()).filter((state) => state === 'not-sent').length).toBeGreaterThan(11);
  });

  test('a limit of requests is waited for, and the file ends by itself', async () => {
    fake.failNext('submitVariablePayment', 429, 10);
    const file = await write('payments.csv', ...Array.from({ length: 20 }, (_row, index) => row('1-1', index)));
    expect(await submit(file)).toMatchObject({ code: 0, stderr: expect.stringContaining(': 20 sent\n') });
    expect(paid()).toHaveLength(20);
    expect(await outboxEntries('--all')).toHaveLength(20);

    fake.failNext('submitVariablePayment', 429, 10);
    const more = await write('more.csv', row('1-2', 1), row('1-2', 2));
    expect(await submit(more, '--wait', '0')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/2 not sent\nStopped: submitVariablePayment.*429/),
    });
  });

  test('with --strict, a warning sends nothing', async () => {
    expect(await runHr(['sync', 'persons'], { env })).toMatchObject({ code: 0 });
    const file = await write('payments.csv', row('1-1', 1), row('nobody', 1));
    expect(await submit(file, '--strict')).toMatchObject({ code: 2, stderr: expect.stringContaining('--strict was') });
    const equal = await write('equal.csv', row('1-1', 1), row('1-1', 1));
    expect(await submit(equal, '--strict', '--dry-run')).toMatchObject({ code: 2 });
    expect(await submit(equal, '--strict', '--equal-rows')).toMatchObject({ code: 0 });
    expect(paid()).toEqual(['1-1: 1', '1-1: 1']);
  });

  test('without a token or a connection, nothing is submitted, and there is no entry', async () => {
    const file = await write('payments.csv', row('1-1', 1));
    await submit(file);
    const before = await result();
    const next = await write('payments.csv', row('1-2', 2));
    const credentials = { ...env, HR_CLIENT_SECRET: 'wrong' };
    const args = ['payments', 'submit', '--file', next, '--yes'];
    expect(await runHr(args, { env: credentials })).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('the client id or secret is wrong'),
    });
    expect(await result()).toBe(before);

    const [other, gone] = [await homeFolder(), await onlyTokens()];
    expect(await runHr(args, { env: { ...env, HR_HOME: other, HR_BASE_URL: gone } })).toMatchObject({
      code: 8,
      stderr: expect.stringMatching(/1 not sent\nStopped: submitVariablePayment: no connection.*\nTo submit the rest/),
    });
    expect(await states()).toEqual(['not-sent']);
    using outbox = openOutbox({ file: join(other, 'default/outbox.db'), source: `${fake.clientId} at ${gone}` });
    expect([...outbox.entries()]).toEqual([]);
  });

  test('in a terminal, Ctrl-C at the question sends nothing, and later it ends the run in order', async () => {
    const file = await write('payments.csv', ...Array.from({ length: 30 }, (_, index) => row('1-1', index)));
    const args = [process.execPath, '--conditions=@hr/source', main, 'payments', 'submit', '--file', file];
    await using gate = await gateAfter(4);
    env['HR_BASE_URL'] = gate.url;
    await using asked = openTerminal(args, { columns: 120, env });
    await asked.waitFor('Submit 30 payments to');
    asked.press('ctrl-c');
    expect(await asked.exitCode()).toBe(130);
    expect(asked.screen).toContain('hr: Interrupted.');
    expect(paid()).toEqual([]);

    await using confirmed = openTerminal(args, { columns: 120, env });
    await confirmed.waitFor('Submit 30 payments to');
    confirmed.type('y');
    confirmed.press('enter');
    await confirmed.waitFor(/Submitting payments: \d+ of 30/);
    confirmed.press('ctrl-c');
    await confirmed.waitFor(/^Interrupted. Waiting for the requests in flight\.$/m);
    gate.open();
    await confirmed.waitFor('run the same command again');
    expect(await confirmed.exitCode()).toBe(130);
    expect((await states()).filter((state) => state === 'sent')).toHaveLength(paid().length);
    expect(paid().length).toBeLessThanOrEqual(8);
    expect(await submit(file)).toMatchObject({ code: 0 });
    expect(paid()).toHaveLength(30);
  });

  test('a run that is killed leaves no result file, and the next one sends nothing twice', async () => {
    const file = await write('payments.csv', ...Array.from({ length: 30 }, (_, index) => row('1-1', index)));
    await writeFile(join(home, 'payments.result.csv'), 'of an earlier run');
    await using gate = await gateAfter(4);
    env['HR_BASE_URL'] = gate.url;
    const args = [process.execPath, '--conditions=@hr/source', main, 'payments', 'submit', '--file', file, '--yes'];
    await using terminal = openTerminal(args, { columns: 120, env });
    await terminal.waitFor('Submitting payments:');
    await terminal[Symbol.asyncDispose]();
    await expect(result()).rejects.toMatchObject({ code: 'ENOENT' });

    gate.open();
    expect(await submit(file)).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('unknown, the program ended before the response'),
    });
    expect(new Set(await states())).toEqual(new Set(['sent', 'unknown']));
    expect(new Set(paid()).size).toBe(paid().length);
  });

  test('a result file that cannot be written is an error before the payments, or else does not hide them', async () => {
    await using gate = await gateAfter(0);
    env['HR_BASE_URL'] = gate.url;
    const file = await write('payments.csv', row('1-1', 1));
    expect(await submit(file, '--result', home)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('it is a folder. Name a file in it.'),
    });
    expect(paid()).toEqual([]);

    const folder = join(home, 'results');
    await mkdir(folder);
    const submitted = submit(file, '--result', join(folder, 'result.csv'));
    await vi.waitUntil(async () => (await readdir(folder)).length > 0, { timeout: 60_000 });
    await rm(folder, { recursive: true });
    gate.open();
    expect(await submitted).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/: 1 sent\nhr: .*its folder does not exist/),
    });
    expect(paid()).toEqual(['1-1: 1']);
  });

  test('a result takes the place of a link, and the file that it leads to stays as it is', async () => {
    const file = await write('payments.csv', row('1-1', 1));
    const given = await readFile(file, 'utf8');
    const link = join(home, 'link.csv');
    await symlink(file, link);
    expect(await submit(file, '--result', link)).toMatchObject({ code: 0 });
    expect(await readFile(file, 'utf8')).toBe(given);
    expect(await readFile(link, 'utf8')).toContain(',sent,');
  });

  test('a misspelt field of the output does not hide what became of a payment', async () => {
    expect(await submit(await write('payments.csv', row('1-1', 1)), '--fields', 'staet')).toMatchObject({ code: 0 });
  });

  test('a payment whose end cannot be stored is unknown', async () => {
    const file = await write('payments.csv', row('1-1', 1), row('1-2', 2));
    await using gate = await gateAfter(0);
    env['HR_BASE_URL'] = gate.url;
    const submitted = submit(file);
    await vi.waitUntil(() => gate.held === 2, { timeout: 60_000 });
    using database = new DatabaseSync(join(home, 'default/outbox.db'));
    database.exec("CREATE TRIGGER full BEFORE UPDATE ON entry BEGIN SELECT raise(ABORT, 'disk full'); END");
    gate.open();
    expect(await submitted).toMatchObject({
      code: 7,
      stderr: expect.stringMatching(
        /: 2 unknown\n[^]*Stopped: .*was sent, but its state sent cannot be stored \(disk full\)/,
      ),
    });
    expect(await states()).toEqual(['unknown', 'unknown']);
    database.exec('DROP TRIGGER full');
    expect(await submit(file)).toMatchObject({ code: 7 });
    expect(paid()).toHaveLength(2);
  });

  test('while another program sends, nothing is sent', async () => {
    const file = await write('payments.csv', row('1-1', 1));
    await submit(file, '--dry-run');
    using other = openOutbox({
      file: join(home, 'default/outbox.db'),
      source: `${fake.clientId} at ${fake.url}`,
    });
    using _ = other.hold();
    expect(await submit(file)).toMatchObject({
      code: 9,
      stderr: expect.stringContaining('another program is sending'),
    });
  });

  test('a contract that the local copy does not have is a warning', async () => {
    expect(await runHr(['sync', 'persons'], { env })).toMatchObject({ code: 0 });
    const file = await write('payments.csv', row('1-1', 1), row('nobody', 1));
    expect(await submit(file, '--dry-run')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Warning: contracts that the local copy does not have: line 3.'),
    });
  });

  test('payments are read from standard input', async () => {
    const stdin = '{"contractId":"1-1","billingPeriod":"2026-12","compensationComponentId":"BONUS","hours":1.5}\n\n';
    const args = ['payments', 'submit', '--file', '-', '--format', 'ndjson', '--yes', '--json'];
    const { code, stdout } = await runHr(args, { env, stdin });
    expect({ code, records: JSON.parse(stdout) as unknown }).toMatchObject({
      code: 0,
      records: [{ state: 'sent', contractId: '1-1', hours: 1.5 }],
    });
    expect(fake.payments.list()).toMatchObject([{ hours: 1.5 }]);
  });
});

describe('the outbox', () => {
  test('an unknown payment is sent again after a confirmation', async () => {
    fake.failNext('submitVariablePayment', 'lost-request');
    await submit(await write('payments.csv', row('1-1', 1)));
    const [{ id = '' } = {}] = await outboxEntries('--state', 'unknown');
    expect(await hr('resend', id)).toMatchObject({ code: 2, stderr: expect.stringContaining('may pay them twice') });
    expect(await hr('resend', id, 'nothing', '--yes')).toMatchObject({ code: 5 });
    expect(paid()).toEqual([]);
    expect(await hr('resend', '', '--yes')).toMatchObject({ code: 5 });
    const shown = `${id.slice(0, 15)}…`;
    expect(await hr('resend', id, shown, '--yes')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(': sent as'),
    });
    expect(paid()).toEqual(['1-1: 1']);
    expect(await hr('resend', id, '--yes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('was sent again as'),
    });
    const [{ id: sent = '' } = {}] = await outboxEntries('--state', 'sent');
    expect(await hr('resend', sent, '--yes')).toMatchObject({ code: 2, stderr: expect.stringContaining('is sent') });
    expect(paid()).toHaveLength(1);
  });

  test('approved payments are found, and listed by contract and period', async () => {
    await submit(await write('payments.csv', row('1-1', 1), row('1-2', 2)));
    fake.payments.approve(fake.payments.list()[0]?.id ?? '');
    expect(await outboxEntries('--check', '--state', 'approved')).toMatchObject([{ contractId: '1-1' }]);
    const list = await hr('list', '1-1', '--period', '2026-12', '--json');
    expect(JSON.parse(list.stdout)).toMatchObject([{ payrollContractId: '1-1', amount: 1 }]);
    expect((await hr('list', '1-1', '--period', '2026-11', '--json')).stdout.trim()).toBe('[]');
  });

  test('a rejected payment is found with its reason, and paid only as a corrected one', async () => {
    const file = await write('payments.csv', row('1-1', 1), row('1-2', 2));
    await submit(file);
    const [rejected, approved] = fake.payments.list().map(({ id }) => id);
    fake.payments.reject(rejected ?? '', 'Already paid.\u001B[2K');
    fake.payments.approve(approved ?? '');
    const { code, stderr, stdout } = await hr('outbox', '--check', '--json');
    expect({ code, entries: JSON.parse(stdout) as unknown }).toMatchObject({
      code: 0,
      entries: [
        { state: 'rejected', reason: 'Already paid.\u001B[2K', decidedAt: expect.any(String) },
        { state: 'approved' },
      ],
    });
    expect(stderr).toMatch(
      /^[\w-]+: contract 1-1, 2026-12, BONUS: rejected, Already paid\.\[2K\nNewly approved: 1\. Newly rejected: 1\. Not decided yet: 0\.\n$/,
    );
    expect(await hr('outbox', '--check')).toMatchObject({ stderr: expect.not.stringContaining('Already paid') });

    const [{ id = '' } = {}] = await outboxEntries('--state', 'rejected');
    expect(await hr('resend', id, '--yes')).toMatchObject({ code: 2, stderr: expect.stringContaining('Correct the') });
    expect(await submit(file)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/1 approved, 1 rejected\n {2}line 2: rejected, Already paid\.\[2K, entry [\w-]+\n/),
    });
    expect(await result()).toMatch(
      /^contractId,.*,amount,line,state,.*,decidedAt,reason\n1-1,2026-12,BONUS,1,2,rejected,.*Z,Already paid\./,
    );
    // The same payment in another file may be there by mistake.
    const corrected = await write('corrected.csv', row('1-1', 1), row('1-2', 2), row('1-3', 3));
    expect(await submit(corrected)).toMatchObject({ code: 2, stderr: expect.stringContaining('lines 2, 3') });
    expect(await submit(corrected, '--skip-submitted')).toMatchObject({ code: 0 });
    expect(paid()).toEqual(['1-1: 1', '1-2: 2', '1-3: 3']);
  });

  test('where the HR Cloud supports keys, an unknown payment is sent again by the same command, and paid once', async () => {
    const toml = '[profiles.default]\nidempotency = "provider-supports"\n';
    await writeFile(join(home, 'config.toml'), toml, { mode: 0o600 });
    fake.failNext('submitVariablePayment', 'lost-response', 3);
    const file = await write('payments.csv', row('1-1', 1));
    expect(await submit(file)).toMatchObject({ code: 7 });
    expect(await submit(file)).toMatchObject({ code: 0 });
    expect(paid()).toHaveLength(1);
  });

  test('what a person found out of an unknown payment is recorded, and explains the file', async () => {
    fake.failNext('submitVariablePayment', 'lost-response');
    const file = await write('payments.csv', row('1-1', 1));
    expect(await submit(file)).toMatchObject({ code: 7, stderr: expect.stringContaining('hr payments resolve') });
    expect(await submit(file)).toMatchObject({ code: 7 });
    const [{ id = '' } = {}] = await outboxEntries();
    expect(await hr('resolve', id, '--as', 'taken')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--note'),
    });
    expect(await hr('resolve', id.slice(0, 8), '--as', 'taken', '--note', 'Kim')).toEqual({
      code: 0,
      stdout: '',
      stderr: `${id}: contract 1-1, 2026-12, BONUS: sent.\n`,
    });
    expect(await outboxEntries()).toMatchObject([{ state: 'sent', note: 'Kim', resolvedAt: expect.any(String) }]);
    expect(await submit(file)).toMatchObject({ code: 0 });
    expect(paid()).toHaveLength(1);
    await hr('resolve', id, '--as', 'not-taken', '--note', 'lost by a restore');
    fake.payments.reject(fake.payments.list()[0]?.id ?? '');
    expect(await hr('resend', id, '--yes')).toMatchObject({ code: 0 });
    expect(paid()).toHaveLength(2);
  });

  test('a report sums a month by component and state', async () => {
    await submit(await write('payments.csv', row('1-1', 0.1), row('1-2', 0.2), row('nobody', 3), row('1-3', 4)));
    fake.payments.approve(fake.payments.list()[2]?.id ?? '');
    const report = await hr('report', '2026-12', '--check', '--json');
    const rowOf = { billingPeriod: '2026-12', compensationComponentId: 'BONUS' };
    expect(report).toMatchObject({ code: 0, stderr: expect.stringContaining('Newly approved: 1.') });
    expect(JSON.parse(report.stdout)).toEqual([
      { ...rowOf, state: 'approved', payments: 1, amount: 4 },
      { ...rowOf, state: 'refused', payments: 1, amount: 3 },
      { ...rowOf, state: 'sent', payments: 2, amount: 0.3 },
    ]);
    expect((await hr('report', '2026-11', '--json')).stdout.trim()).toBe('[]');
  });

  test('a service that does not list approved payments is a clear answer', async () => {
    await submit(await write('payments.csv', row('1-1', 1)));
    fake.failNext('listVariablePaymentDecisions', 403);
    fake.failNext('listVariablePayments', 403);
    expect(await hr('outbox', '--check', '--json')).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('"sent"'),
      stderr: expect.stringContaining('The approved payments cannot be read: listVariablePayments'),
    });
  });
});
