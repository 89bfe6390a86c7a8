import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const loads = (subpath: string): string => `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  await import('@hr/testing/${subpath}');
  process.stdout.write(JSON.stringify(loaded));
`;

const builtOn = ['schemas', 'testing', 'zod'];

test.each<[subpath: string, owners: readonly string[]]>([
  ['fixtures', builtOn],
  ['states', builtOn],
  // A vitest.config.ts loads it, before any test.
  ['pact/vitest', ['testing', 'node:fs', 'node:os', 'node:path', 'node:util']],
  ['fake', [...builtOn, 'node:http', 'node:stream/consumers']],
])('%s loads %j, nothing else', async (subpath, expected) => {
  expect(await ownersLoadedBy(subpath)).toEqual(expected.toSorted());
});

// MSW brings packages of its own.
test('msw loads MSW, and neither Pact nor a server', async () => {
  const owners = await ownersLoadedBy('msw');
  expect(owners).toEqual(expect.arrayContaining([...builtOn, 'msw']));
  expect(owners.filter((owner) => /pact|vitest|fast-check|^node:http/.test(owner))).toEqual([]);
});

test('provider loads nothing of Pact before it verifies', async () => {
  const owners = await ownersLoadedBy('provider');
  expect(owners).toEqual(expect.arrayContaining(builtOn));
  expect(owners.filter((owner) => /pact|vitest|fast-check|msw/.test(owner))).toEqual([]);
});

async function ownersLoadedBy(subpath: string): Promise<string[]> {
  const node = ['--conditions=@hr/source', '--input-type=module', '--eval', loads(subpath)];
  const { stdout } = await promisify(execFile)(process.execPath, node, { cwd: new URL('..', import.meta.url) });
  const owners = (JSON.parse(stdout) as string[]).map((url) => {
    return (
      /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? /\/packages\/([^/]+)\/src\//.exec(url)?.[1] ?? url
    );
  });
  return [...new Set(owners)].toSorted();
}
