import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import * as schemas from '@hr/schemas';
import { operations, problemKinds, problemsOf, wireNames, type Operation, type OperationId } from '@hr/schemas';
import { expect, test } from 'vitest';
import { causes as causesOfKinds, problemKindOf, type Cause, type CausedKind } from '../src/pact/problems.ts';
import { providerStates, type StateName } from '../src/states/provider-states.ts';
import { stateNames } from '../src/states/read-state.ts';
import { allBuilders } from './all-builders.ts';
import { VitestProject } from './vitest-project.ts';

const root = new URL('..', import.meta.url);
const readme = await readFile(new URL('README.md', root), 'utf8');

test('every error code is named', async () => {
  const source = await readFile(new URL('src/hr-testing-error.ts', root), 'utf8');
  const codes = Array.from(source.matchAll(/^ {2}\| '([\w-]+)'/gm), ([, code = '']) => code);
  expect(codes.length).toBeGreaterThan(5);
  expect(codes.filter((code) => !readme.includes(`\`${code}\``))).toEqual([]);
});

test('every optional peer is named with its major version', async () => {
  const { peerDependencies } = JSON.parse(await readFile(new URL('package.json', root), 'utf8')) as {
    peerDependencies: Record<string, string>;
  };
  const peers = Object.entries(peerDependencies).map(([name, range]) => `\`${name}@${/\d+/.exec(range)?.[0]}\``);
  expect(peers.filter((peer) => !readme.includes(peer))).toEqual([]);
});

test('the tests of the section on fixtures print what it shows', async () => {
  const [, program = '', printed = ''] =
    /^### Fixtures$.*?```ts\n(.*?)^```$.*?```text\n(.*?)^```$/ms.exec(readme) ?? [];
  using project = new VitestProject({ 'fixtures.test.ts': program });
  const { code, output } = await project.run(['--disable-console-intercept']);
  expect(code).toBe(0);
  expect(output).toContain('2 passed');
  // Lines of vitest may come between them.
  const lines = printed.trimEnd().split('\n');
  expect(output.split('\n').filter((line) => lines.includes(line))).toEqual(lines);
});

test('the command that starts a fake prints its address and credentials', async () => {
  const [, program = ''] = /^node --input-type=module --eval "(.*)"$/m.exec(readme) ?? [];
  const child = spawn(process.execPath, ['--conditions=@hr/source', '--input-type=module', '--eval', program], {
    cwd: root,
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  child.kill();
  expect(line.toString()).toMatch(/^http:\/\/127\.0\.0\.1:\d+ fake-client fake-secret\n$/);
});

test('every trait is in the table of traits, and nothing else', () => {
  const [section = ''] = /^### Traits$.*?^### /ms.exec(readme) ?? [];
  const rows = Array.from(section.matchAll(/^\| (`[^|]+?) +\| (.+?) +\|$/gm), ([, builders = '', traits = '']) =>
    [builders, traits].map((cell) =>
      Array.from(cell.replaceAll(/\(.*?\)/g, '').matchAll(/`([\w-]+)`/g), ([, name]) => name),
    ),
  );
  const told = rows.flatMap(([builders = [], traits]) => builders.map((name) => [name, traits]));
  const traits = allBuilders
    .filter(({ builder, name }) => builder.traits.length > 0 && name !== 'problem')
    .map(({ name, builder }) => [name, builder.traits]);
  expect(Object.fromEntries(told)).toEqual({ ...Object.fromEntries(traits), problem: ['too-many-requests'] });
  expect(Object.keys(problemKinds)).toContain('too-many-requests');
});

test('every operation is in the table of the page on contracts, with all that a request has', async () => {
  const page = await readFile(new URL('docs/contracts.md', root), 'utf8');
  const rows = Array.from(page.matchAll(/^\| `(\w+)` +\| `([A-Z]+ \/.*)\|$/gm), ([row]) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  expect(rows).toEqual(
    Object.entries<Operation>(operations).map(([id, { method, path, pathParameters, query, body, idempotencyKey }]) => {
      const inUrl: Readonly<Record<string, string>> = Object.hasOwn(wireNames, id) ? wireNames[id as never] : {};
      const parameters = Object.entries(query.shape).map(([name, model]) => {
        const renamed = inUrl[name] === name ? '' : ` → \`${inUrl[name]}\``;
        return `\`${name}\`${renamed}${model.safeParse(undefined).success ? '' : ' (required)'}`;
      });
      const [model = ''] = Object.entries(schemas).find(([, exported]) => body && exported === body) ?? [];
      return [
        `\`${id}\``,
        `\`${method} ${path}\``,
        Object.keys(pathParameters.shape)
          .map((name) => `\`${name}\``)
          .join(', '),
        parameters.join(', '),
        [...(model ? [`\`${model}\``] : []), ...(idempotencyKey ? ['beside it, `idempotencyKey`'] : [])].join('; '),
      ];
    }),
  );
});

test('every provider state is in the table of the page on contracts, with its parameters', async () => {
  const page = await readFile(new URL('docs/contracts.md', root), 'utf8');
  const rows = Array.from(page.matchAll(/^\| `(an? [^`|]+)` +\| (.*?) +\|/gm), ([, name = '', parameters = '']) => ({
    name,
    parameters: Array.from(parameters.matchAll(/`(\w+)`/g), ([, parameter]) => parameter),
  }));
  expect(rows.map(({ name }) => name).toSorted()).toEqual(stateNames.toSorted());
  for (const { name, parameters } of rows) {
    const { shape } = providerStates[name as StateName];
    expect(Object.keys(shape)).toEqual(expect.arrayContaining(parameters));
    const required = Object.entries(shape).filter(([, field]) => !field.safeParse(undefined).success);
    expect(parameters).toEqual(expect.arrayContaining(required.map(([parameter]) => parameter)));
  }
});

test('every status is in the table of the page on contracts, with its operations and what brings it about', async () => {
  const page = await readFile(new URL('docs/contracts.md', root), 'utf8');
  const rows = Array.from(page.matchAll(/^\| (\d{3} +\|.*)\|$/gm), ([, row = '']) =>
    row.split('|').map((cell) => cell.trim()),
  );
  const ids = Object.keys(operations) as OperationId[];
  const body = { compensationComponentId: 'BONUS', amount: 1 };
  const sent = { path: { contractId: '1' }, query: { billingPeriod: '2026-01' }, body, idempotencyKey: 'k' };
  const causes = ids.flatMap((id) =>
    problemsOf(id).flatMap((kind) => {
      const { status } = problemKinds[kind];
      if (!isCaused(id, status)) return [];
      const { states = [], token }: Cause = causesOfKinds[kind as CausedKind](sent);
      const names = states.map(([name]) => `the state \`${name}\``);
      return [{ id, status, cause: token ? `the token \`${token}\`` : (names[0] ?? '') }];
    }),
  );
  const groups = Map.groupBy(causes, ({ status, cause }) => JSON.stringify([String(status), cause]));
  const expected = Array.from(groups, ([key, found]) => {
    const [status, cause] = JSON.parse(key) as [string, string];
    const all = found.length === ids.length ? 'all' : found.map(({ id }) => `\`${id}\``).join(', ');
    const others: Record<string, string> = {
      400: 'a `request` that breaks a rule; not with `errors`',
      404: 'no state: nothing is at the path',
    };
    return [status, all, cause || others[status]];
  });
  const left = ids
    .flatMap((id) => problemsOf(id).map((kind) => problemKinds[kind].status))
    .filter((status) => {
      return !causes.some((cause) => cause.status === status);
    });
  const [last, ...others] = [...new Set(left)].toSorted((one, other) => other - one);
  expect(page).toContain(`No contract can bring about ${others.toReversed().join(', ')} and ${last}.`);
  expect(rows).toEqual(expected.toSorted(([one = ''], [other = '']) => Number(one) - Number(other)));
});

function isCaused(id: OperationId, status: number): boolean {
  try {
    problemKindOf(id, status);
    return true;
  } catch {
    return false;
  }
}
