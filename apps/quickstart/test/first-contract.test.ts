import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const packageFolder = fileURLToPath(new URL('..', import.meta.url));
const vitest = join(packageFolder, 'node_modules/vitest/vitest.mjs');
const typescript = join(packageFolder, 'node_modules/typescript/bin/tsc');
const page = await readFile(new URL('../../../packages/testing/docs/first-contract.md', import.meta.url), 'utf8');

/** The files that the page tells to write, and what it says that commands print. */
const files = Array.from(page.matchAll(/^`([\w./-]+)`\n\n```ts\n(.*?)^```$/gms), ([, name = '', text = '']) => ({
  name,
  text,
}));
const [written = '', verified = '', failed = ''] = Array.from(
  page.matchAll(/^```text\n(.*?)^```$/gms),
  ([, text = '']) => text,
);

// The packages are used from their source here, which a team has no need to say.
const conditions = `
import { nodeTests } from 'tooling-vitest';
import { mergeConfig } from 'vitest/config';
import own from './vitest.config.ts';
export default mergeConfig(nodeTests({ reporters: ['default'] }), own);
`;

let project: string;

beforeAll(async () => {
  // Where nothing is formatted or linted meanwhile.
  const reports = join(packageFolder, 'reports');
  await mkdir(reports, { recursive: true });
  project = await mkdtemp(join(reports, 'first-contract-'));
  const ours = [
    { name: 'conditions.config.ts', text: conditions },
    {
      name: 'tsconfig.json',
      text: JSON.stringify({ extends: '../../tsconfig.json', include: ['src', 'test', 'vitest.config.ts'] }),
    },
  ];
  for (const { name, text } of [...files, ...ours]) {
    // oxlint-disable no-await-in-loop -- a few small files
    await mkdir(dirname(join(project, name)), { recursive: true });
    await writeFile(join(project, name), text);
    // oxlint-enable no-await-in-loop
  }
});
afterAll(() => rm(project, { recursive: true }));

async function node(...args: readonly string[]): Promise<string> {
  const { CI: _CI, ...env } = process.env;
  const run = promisify(execFile)(process.execPath, ['--conditions=@hr/source', ...args], {
    cwd: project,
    env: { ...env, NO_COLOR: '1' },
  });
  const { stdout, stderr } = await run.catch((error: unknown) => error as Awaited<typeof run>);
  return stdout + stderr;
}
const tests = (...args: readonly string[]): Promise<string> =>
  node(vitest, 'run', '--config', 'conditions.config.ts', ...args);

test('the page on a first contract is true from its first file to its last line', async () => {
  expect(files.map(({ name }) => name)).toEqual([
    'src/anniversaries.ts',
    'vitest.config.ts',
    'test/contract.test.ts',
    'test/verify.ts',
  ]);
  expect(await node(typescript, '-p', '.')).toBe('');
  expect(await tests()).toContain(written);
  expect(await node('test/verify.ts')).toBe(verified);

  const [, change = ''] = /change the state to\n\n```ts\n(.*?)\n```/s.exec(page) ?? [];
  const contract = join(project, 'test/contract.test.ts');
  await writeFile(contract, (await readFile(contract, 'utf8')).replace(/^ +given: .*$/m, change));
  // It is like a snapshot.
  expect(await tests()).toContain('pacts/anniversaries-hr-cloud.json is not what the tests say');
  expect(await tests('-u')).toContain('pacts/anniversaries-hr-cloud.json written');
  expect(await node('test/verify.ts')).toContain(failed);
});
