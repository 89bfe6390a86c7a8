import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { environment } from '../src/rehearsal/environment.ts';
import { attempt } from '../src/run.ts';

const workspace = fileURLToPath(new URL('../../..', import.meta.url));
const programOf = (name: string): string => fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hr-registry-'));
  await writeFile(join(folder, 'npmrc'), '');
});
afterAll(() => rm(folder, { recursive: true }));

// Without it our packages would go to the registry of everybody.
test.each(['pack', 'publish'])('%s stops where no private registry is set', async (name) => {
  const env = { ...environment(workspace), NPM_CONFIG_USERCONFIG: join(folder, 'npmrc') };
  const { succeeded, stderr } = await attempt(process.execPath, [programOf(name)], { cwd: folder, env });
  expect(succeeded).toBe(false);
  expect(stderr).toBe(
    'No registry is set for @hr, or pnpm and npm have each their own. ' +
      "Name the private one: npm config set --location=user '@hr:registry=https://…'\n",
  );
});
