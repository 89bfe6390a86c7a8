import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { completePlan, readPackedRelease, readPlan } from '../src/packed-release.ts';

const auth = { name: '@hr/auth', version: '1.2.0' };
const client = { name: '@hr/client', version: '0.0.0-pr-12-20261121' };
const schemas = { name: '@hr/schemas', version: '2.0.0' };

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hr-plan-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('of a plan remains what shall be published, and git tags come along', async () => {
  const file = join(await newFolder(), 'plan.json');
  const entry = { kind: 'publish', access: 'restricted', tag: 'latest' };
  const plan = [
    [{ ...auth, ...entry }],
    [{ ...client, ...entry }],
    [{ kind: 'tag-only', name: 'other', version: '1.0.0' }],
  ];
  await writeFile(file, JSON.stringify({ version: 1, plan }));
  expect(await readPlan(file)).toMatchObject([auth, client]);

  await completePlan(file, { releases: [client], tag: 'pr-12', untagged: [schemas] });
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    version: 1,
    plan: [[{ ...client, ...entry, tag: 'pr-12' }], [{ ...schemas, kind: 'tag-only' }]],
  });
});

test('nothing is published that was not packed', async () => {
  await expect(readPackedRelease(await newFolder())).rejects.toThrow('Nothing is packed. Begin with pnpm release:pack');
});
