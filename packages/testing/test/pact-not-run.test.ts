import { expect, test } from 'vitest';
import { FILE, contract, descriptions, tests } from './absence-tests.ts';
import { VitestProject } from './vitest-project.ts';

const head = `import { expect, test } from 'vitest';
import { consumer } from '../../src/pact/index.ts';
const hr = consumer({ name: 'payroll' });
const ask = ({ baseUrl, token }) => fetch(baseUrl + '/api/v1/persons', { headers: { authorization: 'Bearer ' + token } });
`;

test('an interaction that no test runs fails the whole run, and nothing is written', async () => {
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
    'payroll: "listPersons: 200" is made and never run, by b.test.ts > forgets to run. Call its run, and await that.',
  );
  expect(output).toContain('payroll: "of the file" is made and never run, by b.test.ts.');
  expect(project.read(FILE)).toBe(before);
});

test('an interaction whose run nobody awaits fails the whole run', async () => {
  using project = new VitestProject({
    'a.test.ts': `${head}test('forgets to await', () => {
      void hr.interaction('listPersons', { example: [] }).run(() => new Promise(() => {}));
    });`,
  });
  const { code, output } = await project.run();
  expect(code).toBe(1);
  expect(output).toContain('"listPersons: 200" is made and never run, by a.test.ts > forgets to await.');
});

test('interactions of tests that are filtered, skipped or tried again are not missed', async () => {
  using project = new VitestProject({
    'a.test.ts': `${head}test.each([...hr.errors('listPersons', [401, 403])])('$description', ({ run }) => run(ask));
test('another', () => {});`,
  });
  expect(await project.run(['-t', '401'])).toMatchObject({ code: 0 });
  expect(descriptions(project)).toEqual(['listPersons: 401']);
  project.remove('pacts');
  const text = project.read('a.test.ts');
  project.write({
    'a.test.ts': text.replace('test.each', 'test.skip.each'),
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
