import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { environment } from '../src/rehearsal/environment.ts';
import { attempt } from '../src/run.ts';

interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly uses?: string;
  readonly 'timeout-minutes'?: number;
  readonly steps?: readonly { readonly uses?: string; readonly run?: string }[];
}

const workspace = fileURLToPath(new URL('../../..', import.meta.url));
const folder = `${workspace}/.github/workflows`;
const files = (await readdir(folder)).toSorted();
const workflows = await Promise.all(
  files.map(async (file) => ({ file, ...(parse(await readFile(`${folder}/${file}`, 'utf8')) as Workflow) })),
);

async function scriptsOf(part: string): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(`${workspace}/${part}/package.json`, 'utf8')) as { scripts: object };
  return Object.keys(scripts);
}
const scripts = {
  root: new Set([...(await scriptsOf('.')), 'test']),
  service: new Set(await scriptsOf('apps/service')),
};

test('there is a workflow for tests, contracts, releases and snapshots', () => {
  expect(files).toEqual(['contracts.yml', 'release.yml', 'snapshot.yml', 'test.yml']);
});

describe.each(workflows)('$file', ({ permissions, jobs }) => {
  const all = Object.values(jobs);
  const steps = all.flatMap((job) => job.steps ?? []);
  const lines = steps.flatMap(({ run = '' }) => run.split('\n')).filter(Boolean);

  test('may read, unless a job asks for more', () => {
    expect(permissions).toEqual({ contents: 'read' });
  });

  test('ends by itself', () => {
    const endless = all.filter((job) => job.uses === undefined && job['timeout-minutes'] === undefined);
    expect(endless).toEqual([]);
  });

  test("runs nobody's code but ours", () => {
    const used = [...all, ...steps].flatMap(({ uses = '' }) => uses).filter(Boolean);
    expect(used.filter((name) => !/^(actions\/checkout@v\d+$|\.\/)/.test(name))).toEqual([]);
  });

  // An expression is put into the text of a script before it runs, whatever it says.
  test('gives values to scripts by the environment', () => {
    expect(lines.filter((line) => line.includes('${{'))).toEqual([]);
  });

  test('runs scripts that people run', () => {
    for (const line of lines) {
      const [, name = ''] = /^npx pnpm@12 (?:--filter service run )?([\w:-]+)/.exec(line) ?? [];
      const known = line.includes('--filter service') ? scripts.service : scripts.root;
      expect({
        line,
        known: known.has(name) || /^(\.ci\/(run|sign-in)|git push --tags|shopt -s nullglob)$/.test(line),
      }).toEqual({
        line,
        known: true,
      });
    }
  });
});

// pnpm takes no notice of a variable that it does not know, and would publish without.
test('the variable for provenance is one that pnpm knows', async () => {
  expect(await readFile(`${folder}/release.yml`, 'utf8')).toContain('PNPM_CONFIG_PROVENANCE: ${{');
  const cwd = await mkdtemp(join(tmpdir(), 'hr-provenance-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  await writeFile(join(cwd, 'package.json'), '{ "name": "provenance", "version": "1.0.0" }');
  const env = { ...environment(workspace), GITHUB_ACTIONS: '', GITLAB_CI: '', PNPM_CONFIG_PROVENANCE: 'true' };
  // Nothing listens there, so that nothing could be published.
  const args = ['publish', '--no-git-checks', '--registry', 'http://127.0.0.1:9/'];
  const { stdout, stderr } = await attempt('pnpm', args, { cwd, env });
  expect(stdout + stderr).toContain('PROVENANCE_UNSUPPORTED_PROVIDER');
});
