import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const configuration = fileURLToPath(new URL('../../../.oxlintrc.json', import.meta.url));
const oxlint = fileURLToPath(new URL('../node_modules/.bin/oxlint', import.meta.url));

const forbidden = [
  ['packages/schemas/src', "import { a } from '@hr/auth';"],
  ['packages/schemas/test', "import { a } from '@hr/testing/fixtures';"],
  ['packages/auth/src', "import { a } from '@hr/schemas';"],
  ['packages/auth/src', "import { a } from '../../schemas/src/person.ts';"],
  ['packages/client/src', "import type { TokenProvider } from '@hr/auth';"],
  ['packages/client/src', "import { a } from '@hr/testing/fixtures';"],
  ['packages/client/test', "import { a } from '../../../apps/service/src/server.ts';"],
  ['packages/testing/src', "import { a } from '@hr/client';"],
  ['apps/service/src', "import { a } from '@hr/client';"],
  ['apps/quickstart/src', "import { a } from '../../service/src/server.ts';"],
  ['apps/cli/src', "import { a } from '@hr/testing/fixtures';"],
  ['tooling/bench/src', "import { a } from '../../../apps/service/src/server.ts';"],
] as const;

const allowed = [
  ['packages/auth/test', "import { a } from '@hr/testing/fixtures';"],
  ['packages/client/test/contracts', "import { a } from '@hr/testing/pact';"],
  ['packages/client/src', "import { a } from '@hr/schemas/rules';"],
  ['packages/testing/src', "import { a } from '@hr/schemas';"],
  ['apps/service/src', "import { a } from '@hr/testing/fixtures';"],
  ['apps/service/src/http', "import { a } from '../database/database.ts';"],
  ['apps/quickstart/src', "import { a } from '@hr/client';"],
  ['apps/cli/src', "import { a } from '@hr/client/mirror';"],
  ['tooling/bench/src', "import { a } from 'service/src/server.ts';"],
] as const;

/** The file in which a folder imports something. */
function probeOf(folder: string, statement: string): string {
  const index = [...forbidden, ...allowed].findIndex(([one, other]) => one === folder && other === statement);
  return `${folder}/probe-${index}.ts`;
}

interface Report {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string }[];
  readonly number_of_files: number;
}

let read: number;
/** The files whose import the workspace's rules refuse. */
let refused: ReadonlySet<string>;

beforeAll(async () => {
  const workspace = await mkdtemp(join(tmpdir(), 'hr-import-rules-'));
  try {
    await copyFile(configuration, join(workspace, '.oxlintrc.json'));
    for (const [folder, statement] of [...forbidden, ...allowed]) {
      const file = join(workspace, probeOf(folder, statement));
      // oxlint-disable-next-line no-await-in-loop -- they are small
      await mkdir(dirname(file), { recursive: true });
      // oxlint-disable-next-line no-await-in-loop -- they are small
      await writeFile(file, `${statement}\n`);
    }
    // It fails where it finds something.
    const lint = run(oxlint, ['--format', 'json'], { cwd: workspace });
    const { stdout } = await lint.catch((error: unknown) => error as { stdout: string });
    const { diagnostics, number_of_files } = JSON.parse(stdout) as Report;
    read = number_of_files;
    const found = diagnostics.filter(({ code }) => code.includes('no-restricted-imports'));
    refused = new Set(found.map(({ filename }) => filename));
  } finally {
    await rm(workspace, { recursive: true });
  }
});

test('each import is judged', () => {
  expect(read).toBe(forbidden.length + allowed.length);
});

test.each(forbidden)('%s must not say %s', (folder, statement) => {
  expect(refused).toContain(probeOf(folder, statement));
});

test.each(allowed)('%s may say %s', (folder, statement) => {
  expect(refused).not.toContain(probeOf(folder, statement));
});
