import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';

const subpaths = ['fixtures', 'states', 'pact/vitest', 'fake', 'msw', 'provider', 'conform'];
/** Prints what each module imports, and the module of each subpath. */
const program = `
  import { registerHooks } from 'node:module';
  const imports = {};
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      (imports[context.parentURL] ??= []).push(resolved.url);
      return resolved;
    },
  });
  const entries = {};
  for (const subpath of ${JSON.stringify(subpaths)}) {
    const name = '@hr/testing/' + subpath;
    entries[subpath] = import.meta.resolve(name);
    await import(name);
  }
  process.stdout.write(JSON.stringify({ imports, entries }));
`;

let imports: Readonly<Record<string, readonly string[]>>;
let entries: Readonly<Record<string, string>>;

beforeAll(async () => {
  const node = ['--conditions=@hr/source', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, node, { cwd: new URL('..', import.meta.url) });
  ({ imports, entries } = JSON.parse(stdout) as { imports: typeof imports; entries: typeof entries });
});

const builtOn = ['schemas', 'testing', 'zod'];

test.each<[subpath: string, owners: readonly string[]]>([
  ['fixtures', builtOn],
  ['states', builtOn],
  // A vitest.config.ts loads it, before any test.
  ['pact/vitest', ['testing', 'node:fs', 'node:os', 'node:path']],
  ['fake', [...builtOn, 'node:http', 'node:stream/consumers']],
])('%s loads %j, nothing else', (subpath, expected) => {
  expect(ownersLoadedBy(subpath)).toEqual(expected.toSorted());
});

// MSW brings packages of its own.
test('msw loads MSW, and neither Pact nor a server', () => {
  const owners = ownersLoadedBy('msw');
  expect(owners).toEqual(expect.arrayContaining([...builtOn, 'msw']));
  expect(owners.filter((owner) => /pact|vitest|fast-check|^node:http/.test(owner))).toEqual([]);
});

test.each(['provider', 'conform'])('%s loads nothing of Pact before it verifies', (subpath) => {
  const owners = ownersLoadedBy(subpath);
  expect(owners).toEqual(expect.arrayContaining(builtOn));
  expect(owners.filter((owner) => /pact|vitest|fast-check|msw/.test(owner))).toEqual([]);
});

function ownersLoadedBy(subpath: string): string[] {
  const loaded = new Set([entries[subpath] ?? '']);
  // A set also iterates over what is added meanwhile.
  for (const url of loaded) for (const imported of imports[url] ?? []) loaded.add(imported);
  const owners = Array.from(loaded, (url) => {
    return (
      /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? /\/packages\/([^/]+)\/src\//.exec(url)?.[1] ?? url
    );
  });
  return [...new Set(owners)].toSorted();
}
