import { expect, test } from 'vitest';
import { FILE, contract, descriptions, tests } from './absence-tests.ts';
import { VitestProject } from './vitest-project.ts';

const head = `import { describe, expect, test } from 'vitest';
import { consumer } from '@hr/testing/pact';
const hr = consumer({ name: 'payroll' });
const ask = ({ baseUrl, token }) => fetch(baseUrl + '/api/v1/persons', { headers: { authorization: 'Bearer ' + token } });
const persons = (description) => hr.interaction('listPersons', { example: [], description });
`;

/** What is in a report of contracts. */
const unrun = (description: string): string => `payroll: "${description}" of`;

test('an interaction without a run in a passing test fails, however its test hides that', async () => {
  const before = await contract(['a']);
  using project = new VitestProject({
    [FILE]: before,
    'a.test.ts': tests(['a']),
    'forgotten.test.ts': `${head}
test('makes it', () => { persons('forgotten'); });
test('forgets to await', () => { void persons('not awaited').run(() => new Promise(() => {})); });
persons('forgotten in the file');
hr.errors('listPersons', [401]);
describe.skip('skipped', () => { const { run } = persons('of a skipped group'); test('x', () => run(ask)); });
test.skip.each([persons('of a skipped test')])('$description', ({ run }) => run(ask));`,
    'swallowed.test.ts': `${head}
const elsewhere = ({ baseUrl }) => fetch(baseUrl + '/elsewhere');
test('catches', async () => { await persons('caught').run(elsewhere).catch(() => {}); });
test('expects any error', async () => { await expect(persons('expected').run(elsewhere)).rejects.toThrow(); });
test.fails('is to fail', async () => { await persons('failing run').run(elsewhere); });
test.fails('fails later', async () => { await persons('failing test').run(ask); throw new Error(); });
test('declares nothing', () => { try { hr.interaction('listPersons', { example: [{ id: 5 }] }); } catch {} });
test('expects to declare nothing', () => { expect(() => hr.errors('listPersons', [418])).toThrow(); });
test('declares no filter', () => { try { hr.emptyList('listAbsences', { given: [], request: {} }); } catch {} });
try { hr.tokenRequest({ example: { expires_in: 'soon' } }); } catch {}
test.concurrent('at the same time', async () => { await persons('concurrent').run(elsewhere).catch(() => {}); });`,
    'collected.test.ts': `${head}
await persons('of a file without a passing test').run(ask);
test.skip('skipped', () => {});`,
    'attempts.test.ts': `${head}
let attempts = 0;
test('runs at first', { retry: 1 }, async () => {
  if (attempts++ > 0) return;
  await persons('of a failed attempt').run(ask);
  throw new Error('once');
});
test('skips itself', async ({ skip }) => { await persons('of a test that skips itself').run(ask); skip(); });`,
  });
  const { code, output } = await project.run(['-u']);
  expect(code).toBe(1);
  const found = output.split('\n').filter((line) => line.includes('payroll: "'));
  expect(found.map((line) => line.trim()).toSorted()).toMatchInlineSnapshot(`
    [
      "payroll: "caught" of swallowed.test.ts > catches failed, but its test passed: "caught": the code did not send the request of the contract.",
      "payroll: "concurrent" of swallowed.test.ts failed, but its test passed: "concurrent": the code did not send the request of the contract.",
      "payroll: "expected" of swallowed.test.ts > expects any error failed, but its test passed: "expected": the code did not send the request of the contract.",
      "payroll: "failing run" of swallowed.test.ts > is to fail failed, but its test passed: "failing run": the code did not send the request of the contract.",
      "payroll: "failing test" of swallowed.test.ts > fails later has no run in a passing test. Call run and await it.",
      "payroll: "forgotten in the file" of forgotten.test.ts has no run in a passing test. Call run and await it.",
      "payroll: "forgotten" of forgotten.test.ts > makes it has no run in a passing test. Call run and await it.",
      "payroll: "listAbsences" of swallowed.test.ts > declares no filter failed, but its test passed: listAbsences: request.query: no filter. Give one of from, to, changedSince.",
      "payroll: "listPersons" of swallowed.test.ts > declares nothing failed, but its test passed: example: invalid for the API: /0/id must be a string. Correct it.",
      "payroll: "listPersons" of swallowed.test.ts > expects to declare nothing failed, but its test passed: listPersons: no contract can bring the status 418 about here. Use one of 401, 403, 429, 503.",
      "payroll: "listPersons: 401" of forgotten.test.ts has no run in a passing test. Call run and await it.",
      "payroll: "not awaited" of forgotten.test.ts > forgets to await has no run in a passing test. Call run and await it.",
      "payroll: "of a failed attempt" of attempts.test.ts > runs at first has no run in a passing test. Call run and await it.",
      "payroll: "of a file without a passing test" of collected.test.ts has no run in a passing test. Call run and await it.",
      "payroll: "of a skipped group" of forgotten.test.ts has no run in a passing test. Call run and await it.",
      "payroll: "of a skipped test" of forgotten.test.ts has no run in a passing test. Call run and await it.",
      "payroll: "of a test that skips itself" of attempts.test.ts > skips itself has no run in a passing test. Call run and await it.",
      "payroll: "requestToken" of swallowed.test.ts failed, but its test passed: example: invalid for the API: /expires_in must be a number. Correct it.",
    ]
  `);
  expect(project.read(FILE)).toBe(before);
});

test('accepts interactions of filtered and retried tests', async () => {
  using project = new VitestProject({
    'a.test.ts': `${head}test.each([...hr.errors('listPersons', [401, 403])])('$description', ({ run }) => run(ask));
test('another', () => {});`,
  });
  expect(await project.run(['-t', '401'])).toMatchObject({ code: 0 });
  expect(descriptions(project)).toEqual(['listPersons: 401']);
  project.remove('pacts');
  project.write({
    'a.test.ts': "import { test } from 'vitest'; test('another', () => {});",
    'b.test.ts': `${head}let tries = 0;
test('at last', { retry: 1 }, async () => {
  const { run } = hr.interaction('listPersons', { example: [] });
  if (tries++ === 0) throw new Error('once');
  await run(ask);
});`,
  });
  expect(await project.run()).toMatchObject({ code: 0 });
  expect(descriptions(project)).toEqual(['listPersons: 200']);
});

test('of concurrent tests, an attempt that does not pass fails the run, because their runs cannot be told apart', async () => {
  const bodies = {
    retries:
      "{ retry: 1 }, async () => { if (attempts++ > 0) return; await persons('a').run(ask); throw new Error(); }",
    fails: "{ fails: true }, async () => { await persons('a').run(ask); throw new Error(); }",
    skips: "async ({ skip }) => { await persons('a').run(ask); skip(); }",
  };
  const files = Object.entries(bodies).map(([name, body]) => {
    return [`${name}.test.ts`, `${head}let attempts = 0;\ntest.concurrent('x', ${body});`];
  });
  using project = new VitestProject(Object.fromEntries(files) as Record<string, string>);
  const { code, output } = await project.run();
  expect(code).toBe(1);
  for (const name of Object.keys(bodies)) {
    expect(output).toContain(`${name}.test.ts > x is concurrent, and an attempt did not pass. Make it sequential.`);
  }
  expect(project.has('pacts')).toBe(false);
});

test('a run that ends after its test fails, also where errors outside of tests are ignored', async () => {
  using project = new VitestProject({
    'a.test.ts': `${head}
let release;
const released = new Promise((resolve) => { release = resolve; });
let late;
test('does not await', () => { late = persons('late').run(async (cloud) => { await released; return ask(cloud); }); });
test('the next', async () => { release(); await late.catch(() => {}); });`,
  });
  const { code, output } = await project.run(['--dangerouslyIgnoreUnhandledErrors']);
  expect(code).toBe(1);
  expect(output).toContain(`${unrun('late')} a.test.ts > does not await`);
  expect(output).toContain('"late": its test ended before its run. Await run.');
});

test.each([
  ['an error outside of tests', "setTimeout(() => { throw new Error('late'); });", 'threads'],
  // A process, not a thread of this one, is to crash.
  ['a worker that crashes', "test('crashes', () => { process.kill(process.pid, 'SIGKILL'); });", 'forks'],
])('%s writes nothing, also where such errors are ignored', async (_, fault, pool) => {
  using project = new VitestProject({ 'a.test.ts': `${tests(['a'])}\n${fault}` });
  expect((await project.run(['-u', '--dangerouslyIgnoreUnhandledErrors', `--pool=${pool}`])).code).toBe(1);
  expect(project.has('pacts')).toBe(false);
});

test('a run that bails writes nothing', async () => {
  using project = new VitestProject({
    'a.test.ts': tests(['a']),
    'b.test.ts': tests(['b'], { after: "throw new Error('not understood');" }),
  });
  expect((await project.run(['-u', '--bail=1'])).code).toBe(1);
  expect(project.has('pacts')).toBe(false);
});

test('a damaged file is not written by a run of some tests', async () => {
  using project = new VitestProject({
    [FILE]: '<<<<<<< HEAD',
    'a.test.ts': tests(['a']),
    'b.test.ts': tests(['b']),
  });
  const { code, output } = await project.run(['a.test.ts', '-u']);
  expect(code).toBe(1);
  expect(output).toContain(`${FILE} differs from the tests\n     is not JSON`);
  expect(project.read(FILE)).toBe('<<<<<<< HEAD');
});

test('tests that a configuration loses are missed', async () => {
  using project = new VitestProject({ [FILE]: await contract(['a']), 'a.test.ts': tests(['a']) });
  project.edit('vitest.config.ts', '**/*.test.ts', 'test/*.test.ts');
  const { code, output } = await project.run(['--passWithNoTests']);
  expect(code).toBe(1);
  expect(output).toContain('stale: absences of a (no test makes it)');
});

test('a run without tests of contracts says so', async () => {
  using project = new VitestProject({
    [FILE]: await contract(['a']),
    'a.test.ts': tests(['a']),
    'b.test.ts': "import { test } from 'vitest'; test('b', () => {});",
  });
  for (const args of [
    ['-t', 'nothing'],
    ['nothing', '--passWithNoTests'],
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- of one project
    const { code, output } = await project.run(args);
    expect([args, code]).toEqual([args, 0]);
    expect(output).toContain('Contracts: this run has none of their tests; nothing was compared.');
  }
  expect((await project.run()).output).not.toContain('nothing was compared');
});

test('vitest 4 writes, checks and rejects a contract as vitest 5 does', async () => {
  const files = { 'a.test.ts': tests(['a']), 'b.test.ts': tests(['b', 'c']) };
  using project = new VitestProject(files, { vitest: 'vitest-4' });
  expect(await project.runApart()).toMatchObject({ code: 0, output: expect.stringContaining('v4.') as string });
  expect(project.read(FILE)).toBe(await contract(['a', 'b', 'c']));

  project.edit('b.test.ts', "test('b'", "test.only('b'");
  project.edit('b.test.ts', '"id":"1"', '"id":"2"');
  const changed = await project.runApart();
  expect(changed.code).toBe(1);
  expect(changed.output).toContain(
    'changed, as strong as before: absences of b (b.test.ts > b): /response/body/content/0/id',
  );
  expect(changed.output).not.toContain('stale');
  expect(await project.runApart(['--shard=1/2', '-u'])).toMatchObject({ code: 0 });
  expect(descriptions(project)).toEqual(['a', 'b', 'c']);
});
