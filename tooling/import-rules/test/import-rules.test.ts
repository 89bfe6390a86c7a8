import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const configuration = fileURLToPath(new URL('../../../.oxlintrc.json', import.meta.url));
const oxlint = fileURLToPath(new URL('../node_modules/.bin/oxlint', import.meta.url));

const probes = {
  'packages/client/src/by-name.ts': "import '@hr/auth';\nimport '@hr/schemas/rules';\n",
  'apps/quickstart/src/by-path.ts': "import '../../service/src/server.ts';\nimport './main.ts';\n",
};

test('the linter refuses forbidden imports, by name and by path, and no other', async () => {
  const workspace = await mkdtemp(join(tmpdir(), 'hr-import-rules-'));
  onTestFinished(() => rm(workspace, { recursive: true }));
  await copyFile(configuration, join(workspace, '.oxlintrc.json'));
  for (const [file, imports] of Object.entries(probes)) {
    // oxlint-disable-next-line no-await-in-loop -- they are two
    await mkdir(join(workspace, dirname(file)), { recursive: true });
    // oxlint-disable-next-line no-await-in-loop -- they are two
    await writeFile(join(workspace, file), imports);
  }
  // It fails where it finds something.
  const lint = promisify(execFile)(oxlint, ['--format', 'unix'], { cwd: workspace });
  const { stdout } = await lint.catch((error: unknown) => error as { stdout: string });
  const refused = Array.from(stdout.matchAll(/^(\S+?:\d+):.*no-restricted-imports/gm), ([, place = '']) => place);
  expect(refused.toSorted()).toEqual(['apps/quickstart/src/by-path.ts:1', 'packages/client/src/by-name.ts:1']);
});
