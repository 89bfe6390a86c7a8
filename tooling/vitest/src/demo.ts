import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

const workspace = fileURLToPath(new URL('../../..', import.meta.url));
const cache = join(workspace, 'node_modules/.cache/demo');

/** The last day of the company in tests, on every day. */
export const DEMO_UNTIL = '2026-10-31';

interface Demo {
  readonly url: string;
  readonly stop: (signal?: 'SIGKILL') => Promise<unknown>;
}

/** Starts the demo as a newcomer does, once for all test files. */
export async function setup(project: TestProject): Promise<Demo['stop']> {
  const { url, stop } = await startDemo();
  project.provide('demoUrl', url);
  return stop;
}

/** Starts a demo of its own for a test that changes what others read. */
export async function startDemo(): Promise<Demo & { readonly restart: () => Promise<string> }> {
  const folder = await mkdtemp(join(tmpdir(), 'hr-demo-'));
  await copyDemo(folder);
  let demo = await serve(folder);
  return {
    url: demo.url,
    /** Kills it, and starts it again at another address. */
    async restart() {
      await demo.stop('SIGKILL');
      demo = await serve(folder);
      return demo.url;
    },
    stop: () => demo.stop().then(() => rm(folder, { recursive: true })),
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
  const folder = join(cache, 'company');
  const mark = join(cache, 'version');
  const version = versionOfToday();
  if ((await readFile(mark, 'utf8').catch(() => '')) !== version) {
    await rm(folder, { recursive: true, force: true });
    await (await serve(folder)).stop();
    await writeFile(mark, version);
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

/** Changes with the service, the libraries and the day, because lists of changes have the company since it was loaded. */
function versionOfToday(): string {
  const files = globSync(['apps/service/src/**/*.*', 'pnpm-lock.yaml'], { cwd: workspace }).toSorted();
  const texts = files.map((file) => readFileSync(join(workspace, file), 'utf8'));
  return hash('sha256', [new Date().toDateString(), ...texts].join(''));
}

/** Runs `demo` on a folder until it is stopped. */
async function serve(folder: string): Promise<Demo> {
  const main = join(workspace, 'apps/service/src/main.ts');
  const demo = spawn(
    process.execPath,
    ['--liftoff-only', '--conditions=@hr/source', main, 'demo', '--until', DEMO_UNTIL],
    {
      env: { ...process.env, HR_PORT: '0', HR_DATABASE: `pglite:${folder}` },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let welcome = '';
  // The service goes on writing its log.
  for await (const text of demo.stdout.iterator({ destroyOnReturn: false })) {
    welcome += String(text);
    if (welcome.includes('Ctrl-C stops it.')) break;
  }
  demo.stdout.resume();
  const [url] = /http:\/\/[\d.]+:\d+/.exec(welcome) ?? [];
  if (url === undefined) throw new Error(`The demo did not start:\n${welcome}`);
  const stop: Demo['stop'] = async (signal) => {
    demo.kill(signal);
    await once(demo, 'exit');
  };
  return { url, stop };
}
