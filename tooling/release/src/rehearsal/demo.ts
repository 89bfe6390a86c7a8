import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The HR Cloud with its made company, for programs to ask. */
export interface Demo {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts the demo of a workspace on a free port, in memory. */
export async function startDemo(workspace: string): Promise<Demo> {
  const main = join(workspace, 'apps/service/src/main.ts');
  const demo = spawn(process.execPath, ['--conditions=@hr/source', main, 'demo'], {
    env: { ...process.env, HR_PORT: '0', HR_DATABASE: 'pglite:memory', HR_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let welcome = '';
  for await (const text of demo.stdout) {
    welcome += String(text);
    if (welcome.includes('Ctrl-C stops it.')) break;
  }
  const [url] = /http:\/\/[\d.]+:\d+/.exec(welcome) ?? [];
  if (!url) throw new Error('The demo did not start; run pnpm start to see why.');
  return {
    url,
    async stop() {
      if (demo.exitCode === null && demo.kill()) await once(demo, 'exit');
    },
  };
}
