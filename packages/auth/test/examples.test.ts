import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runProgram } from './run-program.ts';
import { json, numberedToken, status, tokenServer } from './token-server.ts';

const home = join(import.meta.dirname, '..');
const run = promisify(execFile);
const readme = await readFile(join(home, 'README.md'), 'utf8');

const blocks = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, block = '']) => block);

test('the first program of the README prints what it says', async () => {
  await using server = await tokenServer(numberedToken());
  const [program = ''] = blocks(readme, 'ts');

  expect(await runProgram(program.replace('http://127.0.0.1:4010', server.url))).toBe(blocks(readme, 'text')[0]);
  expect(server.requests).toHaveLength(1);
});

test('the provider of a page outlives a failure and keeps a newer token', async () => {
  const expiresAt = Date.now() + 3_600_000;
  const tokens = [json({ value: 'first', expiresAt }), json({ value: 'second', expiresAt })];
  await using server = await tokenServer(status(503), json({}, 401), ...tokens);
  const recipe = blocks(readme, 'ts').find((block) => block.includes("fetch('/session/token')")) ?? '';
  const printed = await runProgram(`
    ${recipe.replace("'/session/token'", `'${server.url}/session/token'`)}
    for (const attempt of [1, 2]) await auth.getToken().catch((error) => console.log(attempt, error.message));
    const [first, same] = await Promise.all([auth.getToken(), auth.getToken()]);
    console.log(first.value, same === first, (await auth.getToken()) === first);
    auth.invalidate(first);
    const second = await auth.getToken();
    auth.invalidate(first);
    console.log(second.value, (await auth.getToken()) === second);
  `);

  expect(printed.trim().split('\n')).toEqual([
    '1 /session/token answered 503',
    '2 /session/token answered 401',
    'first true true',
    'second true',
  ]);
  expect(server.requests).toHaveLength(4);
});

test('every example of the README and of the sources compiles', async () => {
  const files = await readdir(join(home, 'src'));
  const sources = await Promise.all(files.map((file) => readFile(join(home, 'src', file), 'utf8')));
  const documented = blocks(sources.join('\n').replaceAll(/^ +\* ?/gm, ''), 'ts');
  const examples = [
    ...blocks(readme, 'ts'),
    ...documented.map((block) => `import { clientCredentials, isAuthError, staticToken } from '@hr/auth';\n${block}`),
  ];
  expect(documented.length).toBeGreaterThanOrEqual(3);

  const folder = join(home, 'reports/examples');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const config = {
    extends: '../../tsconfig.json',
    compilerOptions: { noUnusedLocals: false, types: ['node'] },
    include: ['*.ts'],
  };
  await Promise.all([
    writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config)),
    ...examples.map((example, index) => writeFile(join(folder, `example-${index}.ts`), example)),
  ]);

  await expect(run(join(home, 'node_modules/.bin/tsc'), ['-p', folder])).resolves.toMatchObject({ stdout: '' });
});
