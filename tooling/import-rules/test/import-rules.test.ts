import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const configuration = fileURLToPath(new URL('../../../.oxlintrc.json', import.meta.url));
const oxlint = fileURLToPath(new URL('../node_modules/.bin/oxlint', import.meta.url));

let workspace: string;

beforeAll(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'hr-import-rules-'));
  await copyFile(configuration, join(workspace, '.oxlintrc.json'));
});

afterAll(async () => {
  await rm(workspace, { recursive: true });
});

/** Whether the workspace's rules let a file import something. */
async function allows(file: string, statement: string): Promise<boolean> {
  const path = join(workspace, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${statement}\n`);
  const lint = run(oxlint, ['--format', 'json', file], { cwd: workspace });
  const { stdout } = await lint.catch((error: unknown) => error as { stdout: string });
  return !stdout.includes('no-restricted-imports');
}

test.each([
  ['packages/schemas/src/probe.ts', "import { a } from '@hr/auth';"],
  ['packages/schemas/test/probe.test.ts', "import { a } from '@hr/testing/fixtures';"],
  ['packages/auth/src/probe.ts', "import { a } from '@hr/schemas';"],
  ['packages/auth/src/probe.ts', "import { a } from '../../schemas/src/person.ts';"],
  ['packages/client/src/probe.ts', "import { a } from '@hr/auth';"],
  ['packages/client/src/probe.ts', "import { a } from '@hr/testing/fixtures';"],
  ['packages/client/test/probe.test.ts', "import { a } from '../../../apps/service/src/server.ts';"],
  ['packages/testing/src/probe.ts', "import { a } from '@hr/client';"],
  ['apps/service/src/probe.ts', "import { a } from '@hr/client';"],
  ['apps/quickstart/src/probe.ts', "import { a } from '../../service/src/server.ts';"],
  ['tooling/bench/src/probe.ts', "import { a } from '../../../apps/service/src/server.ts';"],
])('%s must not say %s', async (file, statement) => {
  expect(await allows(file, statement)).toBe(false);
});

test.each([
  ['packages/auth/test/probe.test.ts', "import { a } from '@hr/testing/fixtures';"],
  ['packages/client/test/contracts/probe.test.ts', "import { a } from '@hr/testing/pact';"],
  ['packages/client/src/probe.ts', "import type { TokenProvider } from '@hr/auth';"],
  ['packages/client/src/probe.ts', "import { a } from '@hr/schemas/rules';"],
  ['packages/testing/src/probe.ts', "import { a } from '@hr/schemas';"],
  ['apps/service/src/probe.ts', "import { a } from '@hr/testing/fixtures';"],
  ['apps/service/src/http/probe.ts', "import { a } from '../database/database.ts';"],
  ['apps/quickstart/src/probe.ts', "import { a } from '@hr/client';"],
  ['tooling/bench/src/probe.ts', "import { a } from 'service/src/server.ts';"],
])('%s may say %s', async (file, statement) => {
  expect(await allows(file, statement)).toBe(true);
});
