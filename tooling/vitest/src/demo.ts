import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

const workspace = fileURLToPath(new URL('../../..', import.meta.url));
const service = join(workspace, 'apps/service/src');
const cache = join(workspace, 'node_modules/.cache/demo');

/** Starts the demo as a newcomer does, once for all test files. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startDemo();
  project.provide('demoUrl', url);
  return stop;
}

/** Starts a demo of its own for a test that changes what others read. */
export async function startDemo(): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'hr-demo-'));
  await copyDemo(folder);
  const { url, stop } = await serve(folder);
  return {
    url,
    async stop() {
      await stop();
      await rm(folder, { recursive: true });
    },
  };
}

/** Copies a folder with the company of the demo. To load it takes five times as long as to start with it: done once a day. */
export async function copyDemo(target: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  // One process at a time. The system frees the lock of a process that ends.
  using lock = new DatabaseSync(join(cache, 'lock.db'), { timeout: 0 });
  while (!isTaken(lock)) {
    // oxlint-disable-next-line no-await-in-loop -- until the other one has loaded it
    await setTimeout(200);
  }
  const name = await versionOfToday();
  const folder = join(cache, name);
  const kept = await readdir(cache);
  if (!kept.includes(name)) {
    const stale = kept.filter((each) => !each.startsWith('lock.db'));
    await Promise.all(stale.map((each) => rm(join(cache, each), { recursive: true })));
    const draft = `${folder}.new`;
    await (await serve(draft)).stop();
    await rename(draft, folder);
  }
  await cp(folder, target, { recursive: true });
}

function isTaken(lock: DatabaseSync): boolean {
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if ((error as Error).message === 'database is locked') return false;
    throw error;
  }
}

/** Changes with the service, the libraries and the day, because the company is as of the day on which it is loaded. */
async function versionOfToday(): Promise<string> {
  const hash = createHash('sha256').update(new Date().toDateString());
  const sources = await readdir(service, { recursive: true, withFileTypes: true });
  const files = sources.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  for (const file of [...files.toSorted(), join(workspace, 'pnpm-lock.yaml')]) {
    // oxlint-disable-next-line no-await-in-loop -- in this order
    hash.update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 16);
}

/** Runs `demo` on a folder until it is stopped. */
async function serve(folder: string): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const main = join(service, 'main.ts');
  const demo = spawn(process.execPath, ['--liftoff-only', '--conditions=@hr/source', main, 'demo'], {
    env: { ...process.env, HR_PORT: '0', HR_DATABASE: `pglite:${folder}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let welcome = '';
  // The service goes on writing its log.
  for await (const text of demo.stdout.iterator({ destroyOnReturn: false })) {
    welcome += String(text);
    if (welcome.includes('Ctrl-C stops it.')) break;
  }
  demo.stdout.resume();
  const [url] = /http:\/\/[\d.]+:\d+/.exec(welcome) ?? [];
  if (url === undefined) throw new Error(`The demo did not start:\n${welcome}`);
  return {
    url,
    async stop() {
      demo.kill('SIGTERM');
      await once(demo, 'exit');
    },
  };
}
