import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { clientCredentials } from '@hr/auth';
import { createHrClient } from '@hr/client';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { operationPaths } from '../src/backend/operation-paths.ts';
import { shellQuoted, typescriptOf, urlEncoded } from '../src/components/quote.ts';
import { requestTexts, type ApiRequest } from '../src/components/request-texts.ts';

const run = promisify(execFile);
const consoleFolder = fileURLToPath(new URL('..', import.meta.url));
const hrProgram = fileURLToPath(new URL('../../cli/src/program.ts', import.meta.url));
const target = { baseUrl: inject('demoUrl'), clientId: 'demo', operations: operationPaths };

/** Texts with characters that mean something to a shell, to TypeScript, to curl or in a URL. */
const hostile = fc
  .string({
    unit: fc.oneof(
      fc.constantFrom(
        ...`'"\`$\\\n\r\t !*?[]{}()<>|&;#~%=+/.-@_^:,`.split(''),
        '\u2028',
        '\u0001',
        '$(id)',
        '${x}',
        "'\\''",
      ),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }).filter((one) => one.isWellFormed() && one !== '\0'),
    ),
    minLength: 1,
  })
  // Such an id cannot be sent in a path.
  .filter((id) => id !== '.' && id !== '..');

let folder: string;
let person: string;
let contract: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hr-copied-'));
  const { baseUrl, clientId } = target;
  const auth = clientCredentials({ baseUrl, clientId, clientSecret: 'demo-secret' });
  const persons = await createHrClient({ baseUrl, auth }).persons.list();
  const last = persons.findLast(({ employments }) => employments?.length === 1);
  person = last?.id ?? '';
  contract = last?.employments?.[0]?.payrollContractId ?? '';
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a shell script with the secret in its environment. */
async function shell(script: string): Promise<string> {
  const { PATH } = process.env;
  const env = { PATH, HR_CLIENT_SECRET: 'demo-secret' };
  const { stdout } = await run('/bin/sh', ['-euc', script], { env, cwd: folder });
  return stdout;
}

/** Runs a program in a process of its own, and returns what it printed before each NUL. */
async function printedParts(program: string): Promise<string[]> {
  const node = ['--conditions=@hr/source', '--input-type=module-typescript', '--eval', program];
  const env = { ...process.env, HR_HOME: folder, HR_CLIENT_SECRET: 'demo-secret' };
  const { stdout } = await run(process.execPath, node, { cwd: consoleFolder, env, maxBuffer: 1e8 });
  return stdout.split('\0\n');
}

test('a shell reads a quoted text as it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(hostile, { minLength: 20, maxLength: 40 }), async (texts) => {
      const printed = await shell(`printf '%s\\0' ${texts.map(shellQuoted).join(' ')}`);
      expect(printed.split('\0').slice(0, -1)).toEqual(texts);
    }),
    { numRuns: 20 },
  );
});

test('TypeScript reads a value as it is', () => {
  fc.assert(
    fc.property(fc.oneof(hostile, fc.jsonValue(), fc.dictionary(hostile, hostile)), (value) => {
      expect(JSON.stringify(runInNewContext(`(${typescriptOf(value)})`))).toBe(JSON.stringify(value));
    }),
  );
});

test('a URL has each text as it is', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const url = new URL(`http://localhost/a/${urlEncoded(text)}/b?name=${urlEncoded(text)}`);
      expect(url.pathname.split('/').slice(3)).toEqual(['b']);
      expect(decodeURIComponent(url.pathname.split('/')[2] ?? '')).toBe(text);
      expect([...url.searchParams]).toEqual([['name', text]]);
    }),
  );
});

const curlFunction = `curl() { printf '%s\\0' $# "$@" >&3; printf '{"access_token":"token-1","expires_in":3600}\\n'; }
exec 3>&1 >/dev/null
`;

test('curl gets the address, the token and the body as they are', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, hostile, fc.jsonValue(), async (id, value, body) => {
      const request: ApiRequest = {
        operation: 'submitVariablePayment',
        path: { contractId: id },
        query: { billingPeriod: value },
        body,
      };
      const script = requestTexts.curl(request, { ...target, clientId: id });
      const printed = (await shell(curlFunction + script)).split('\0');
      const count = Number(printed[0]);
      const [token, call] = [printed.slice(1, count + 1), printed.slice(count + 2, -1)];
      expect(token).toEqual(expect.arrayContaining([`client_id=${id}`, 'client_secret=demo-secret']));
      expect(call).toContain('Authorization: Bearer token-1');
      expect(call.at(-1)).toBe(JSON.stringify(body));
      const url = new URL(call[3] ?? '');
      expect(url.pathname.split('/').slice(1)).toEqual([
        'api',
        'v1',
        'payrollContract',
        expect.any(String),
        'variable-payments',
      ]);
      expect(decodeURIComponent(url.pathname.split('/')[4] ?? '')).toBe(id);
      expect([...url.searchParams]).toEqual([['billingPeriod', value]]);
    }),
    { numRuns: 40 },
  );
});

const hrFunction = `hr() {
  printf '%s\\0' "$HR_BASE_URL" "$HR_CLIENT_ID" "$@"
  case "$*" in *'--input-file -') cat ;; esac
}
`;

test('each copied request works against the service', async () => {
  const payment = { compensationComponentId: "it's", amount: 1 };
  const requests: (ApiRequest & { readonly expected: RegExp })[] = [
    { operation: 'listPersons', expected: /100001/ },
    { operation: 'listPersons', query: { changedSince: '2020-01-01' }, expected: /100001/ },
    { operation: 'updatePerson', path: { id: person }, expected: new RegExp(person) },
    {
      operation: 'submitVariablePayment',
      path: { contractId: contract },
      query: { billingPeriod: '2026-12' },
      body: payment,
      expected: /2026-12/,
    },
    {
      operation: 'listVariablePayments',
      path: { contractId: contract },
      query: { billingPeriod: '1999-01' },
      expected: /^(?:\[\])?\s*$/,
    },
    {
      operation: 'listSalaryHistory',
      path: { contractId: contract },
      query: { from: '2026-01', to: '2026-02' },
      expected: new RegExp(contract),
    },
    { operation: 'listTimeBookings', query: { from: '2026-10-05', to: '2026-10-06' }, expected: /1000\d\d/ },
    { operation: 'listAbsences', path: { personId: person }, query: { to: '1999-01-01' }, expected: /^(?:\[\])?\s*$/ },
    { operation: 'listAllAbsences', query: { to: '1999-01-01' }, expected: /^(?:\[\])?\s*$/ },
    { operation: 'getChanges', query: { wait: '1' }, expected: /cursor/ },
  ];
  // One process runs all commands, as to start one takes longer than the command.
  const commands = await Promise.all(
    requests.map(async (each) => {
      const [HR_BASE_URL, HR_CLIENT_ID, ...args] = (await shell(hrFunction + requestTexts.hr(each, target))).split(
        '\0',
      );
      return { env: { HR_BASE_URL, HR_CLIENT_ID }, input: args.pop(), args };
    }),
  );
  const results = await printedParts(`
    import { Readable } from 'node:stream';
    import { run } from ${typescriptOf(hrProgram)};
    for (const { env, input, args } of ${typescriptOf(commands)}) {
      const { stdout, stderr } = process;
      const terminal = { env: { ...process.env, ...env }, stdin: Readable.from([input]), stdout, stderr, exitCode: undefined };
      await run(args, terminal);
      process.exitCode ||= terminal.exitCode;
      console.log('\\0');
    }`);
  for (const [index, { expected }] of requests.entries()) expect(results[index]).toMatch(expected);

  // All programs have the same imports, so one process runs them.
  const [imports = '', ...others] = new Set(
    requests.map((each) => requestTexts.typescript(each, target).split('\n\n', 1)[0]),
  );
  expect(others).toEqual([]);
  const blocks = requests.map((each) => {
    const code = requestTexts.typescript(each, target).slice(imports.length);
    return `{${code}}\nconsole.log('\\0');`;
  });
  const printed = await printedParts([imports, ...blocks].join('\n'));
  for (const [index, { expected }] of requests.entries()) expect(printed[index]).toMatch(expected);
});
