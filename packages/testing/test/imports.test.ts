import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const program = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  await import('@hr/testing/fixtures');
  process.stdout.write(JSON.stringify(loaded));
`;

test('fixtures load @hr/schemas and zod, nothing else', async () => {
  const node = ['--conditions=@hr/source', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, node, { cwd: new URL('..', import.meta.url) });
  const owners = (JSON.parse(stdout) as string[]).map((url) => {
    return (
      /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? /\/packages\/([^/]+)\/src\//.exec(url)?.[1] ?? url
    );
  });
  expect([...new Set(owners)].toSorted()).toEqual(['schemas', 'testing', 'zod']);
});
