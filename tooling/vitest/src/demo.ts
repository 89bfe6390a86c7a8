import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

const service = fileURLToPath(new URL('../../../apps/service/src/main.ts', import.meta.url));

/** Starts the demo as a newcomer does, once for all test files. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startDemo();
  project.provide('demoUrl', url);
  return stop;
}

/** Starts a demo of its own for a test that changes what others read. */
export async function startDemo(): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'hr-demo-'));
  const demo = spawn(process.execPath, ['--liftoff-only', '--conditions=@hr/source', service, 'demo'], {
    cwd: folder,
    env: { ...process.env, HR_PORT: '0', HR_DATABASE: 'pglite:memory' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let welcome = '';
  for await (const text of demo.stdout) {
    welcome += String(text);
    if (welcome.includes('Ctrl-C stops it.')) break;
  }
  const [url] = /http:\/\/[\d.]+:\d+/.exec(welcome) ?? [];
  if (url === undefined) throw new Error(`The demo did not start:\n${welcome}`);
  const stop = async (): Promise<void> => {
    demo.kill('SIGTERM');
    await once(demo, 'exit');
    await rm(folder, { recursive: true });
  };
  return { url, stop };
}
