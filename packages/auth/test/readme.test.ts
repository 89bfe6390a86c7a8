import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { runProgram } from './run-program.ts';
import { json, status, tokenServer } from './token-server.ts';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');

test('the provider of the browser recipe recovers from a failure and keeps a newer token', async () => {
  const expiresAt = Date.now() + 3_600_000;
  const tokens = [json({ value: 'first', expiresAt }), json({ value: 'second', expiresAt })];
  await using server = await tokenServer(status(503), json({}, 401), ...tokens);
  const recipe = /```ts\n([^`]*fetch\('\/session\/token'.*?)```/s.exec(readme)?.[1] ?? '';
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

test('names every error code and every export', async () => {
  const source = await readFile(new URL('../src/auth-error.ts', import.meta.url), 'utf8');
  const codes = Array.from(source.matchAll(/^ \* - `([\w-]+)`:/gm), ([, code = '']) => code);
  expect(codes.length).toBeGreaterThan(10);
  const named = new Set(readme.match(/[\w-]+/g));
  expect([...codes, ...Object.keys(await import('../src/index.ts'))].filter((name) => !named.has(name))).toEqual([]);
});
