import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const configuration = fileURLToPath(new URL('../../../.oxlintrc.json', import.meta.url));
const oxlint = fileURLToPath(new URL('../node_modules/.bin/oxlint', import.meta.url));

const probes = {
  'packages/client/src/by-name.ts': "import '@hr/auth';\nimport '@hr/schemas/rules';\n",
  'apps/quickstart/src/by-path.ts': "import '../../service/src/server.ts';\nimport './main.ts';\n",
};

test('the linter refuses forbidden imports, by name and by path, and no other', () => {
  using workspace = mkdtempDisposableSync(join(tmpdir(), 'hr-import-rules-'));
  cpSync(configuration, join(workspace.path, '.oxlintrc.json'));
  for (const [file, imports] of Object.entries(probes)) {
    mkdirSync(join(workspace.path, dirname(file)), { recursive: true });
    writeFileSync(join(workspace.path, file), imports);
  }
  const { stdout } = spawnSync(oxlint, ['--format', 'unix'], { cwd: workspace.path, encoding: 'utf8' });
  const refused = Array.from(stdout.matchAll(/^(\S+?:\d+):.*no-restricted-imports/gm), ([, place = '']) => place);
  expect(refused.toSorted()).toEqual(['apps/quickstart/src/by-path.ts:1', 'packages/client/src/by-name.ts:1']);
});
