import { expect, test } from 'vitest';
import { FILE, contract, descriptions, tests } from './absence-tests.ts';
import { VitestProject } from './vitest-project.ts';

const head = `import { expect, test } from 'vitest';
import { consumer } from '@hr/testing/pact';
const hr = consumer({ name: 'payroll' });
const ask = ({ baseUrl, token }) => fetch(baseUrl + '/api/v1/persons', { headers: { authorization: 'Bearer ' + token } });
`;

test('fails if no test runs an interaction, and writes nothing', async () => {
  const before = await contract(['a', 'b']);
  using project = new VitestProject({
    [FILE]: before,
    'a.test.ts': tests(['a', 'b']),
    'b.test.ts': `${head}test('forgets to run', () => { hr.interaction('listPersons', { example: [] }); });
hr.interaction('listPersons', { example: [], description: 'of the file' });`,
  });
  const { code, output } = await project.run(['-u']);
  expect(code).toBe(1);
  expect(output).toContain(
    'payroll: "listPersons: 200" of b.test.ts > forgets to run has no run in a passing test. Call run and await it.',
  );
  expect(output).toContain('payroll: "of the file" of b.test.ts has no run in a passing test.');
  expect(project.read(FILE)).toBe(before);
});

test('fails if a run is not awaited', async () => {
  using project = new VitestProject({
    'a.test.ts': `${head}test('forgets to await', () => {
      void hr.interaction('listPersons', { example: [] }).run(() => new Promise(() => {}));
    });`,
  });
  const { code, output } = await project.run();
  expect(code).toBe(1);
  expect(output).toContain('"listPersons: 200" of a.test.ts > forgets to await has no run in a passing test.');
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
