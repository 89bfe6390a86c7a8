import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import getPort from 'get-port';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressOf } from './command-line.ts';
import { bareDatabase } from './drivers.ts';

const run = promisify(execFile);
const workspace = fileURLToPath(new URL('../../..', import.meta.url));

let folder: string;
let bundle: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hr-bundle-'));
  const written = join(folder, 'written');
  const pnpm = join(workspace, 'node_modules/.bin/pnpm');
  await run(pnpm, ['run', 'service:bundle', written], { cwd: workspace });
  // As in an image, it is somewhere else: no link in it depends on its place.
  bundle = join(folder, 'image/moved');
  await mkdir(dirname(bundle));
  await rename(written, bundle);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The instructions of the Dockerfile, by their names. */
async function instructions(): Promise<Readonly<Record<string, string>>> {
  const lines = (await readFile(join(bundle, 'Dockerfile'), 'utf8')).split('\n');
  return Object.fromEntries(lines.map((line) => [line.split(' ', 1)[0], line.slice(line.indexOf(' ') + 1)]));
}

test('the folder runs with Node.js alone, as its Dockerfile starts it', async () => {
  const { ENTRYPOINT = '', CMD = '', HEALTHCHECK = '' } = await instructions();
  const [, ...args] = [...(JSON.parse(ENTRYPOINT) as string[]), ...(JSON.parse(CMD) as string[])];
  const { url: HR_DATABASE, remove } = await bareDatabase('pglite');
  const env = { PATH: dirname(process.execPath), HR_PORT: String(await getPort()), HR_DATABASE };
  const healthCheck = (): Promise<object> => {
    const [, ...check] = JSON.parse(HEALTHCHECK.slice('CMD '.length)) as string[];
    return run(process.execPath, check, { env });
  };
  await expect(healthCheck()).rejects.toMatchObject({ code: 1 });
  const service = spawn(process.execPath, args, { cwd: bundle, env });
  try {
    const url = await addressOf(service);
    await healthCheck();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect((await fetch(`${url}/docs`)).status).toBe(200);
    expect((await fetch(`${url}/openapi.json`)).status).toBe(200);
    service.kill('SIGTERM');
    expect(await once(service, 'exit')).toEqual([0, null]);
  } finally {
    service.kill('SIGKILL');
    await remove();
  }
});

test('the folder has no tests, no tools and no database', async () => {
  expect((await readdir(bundle)).toSorted()).toEqual([
    'Dockerfile',
    'node_modules',
    'package.json',
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'sbom.cdx.json',
    'src',
  ]);
  const { USER, FROM } = await instructions();
  expect({ USER, FROM }).toEqual({ USER: 'node', FROM: expect.stringMatching(/^node:24\.\S+@sha256:/) });
  const modules = await readdir(join(bundle, 'node_modules'));
  expect(modules).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(?:vitest|typescript|@pact-foundation)$/)]),
  );
});

test('the list of contents has exactly the packages that the folder has', async () => {
  const { components } = JSON.parse(await readFile(join(bundle, 'sbom.cdx.json'), 'utf8')) as {
    readonly components: readonly { readonly purl: string }[];
  };
  const installed = globSync('**/node_modules/{*,@*/*}/package.json', { cwd: bundle }).map(async (file) => {
    const text = await readFile(join(bundle, file), 'utf8');
    const { name, version } = JSON.parse(text) as { readonly name: string; readonly version: string };
    return `pkg:npm/${name.replace('@', '%40')}@${version}`;
  });
  expect(new Set(components.map(({ purl }) => purl))).toEqual(new Set(await Promise.all(installed)));
});
