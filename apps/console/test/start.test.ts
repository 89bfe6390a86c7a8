import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import workspacePackage from '../../../package.json' with { type: 'json' };

const workspace = join(import.meta.dirname, '../../..');

test('pnpm start brings up the service and the console, and one signal ends both', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hr-start-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const start = spawn(workspacePackage.scripts.start, {
    cwd: workspace,
    shell: true,
    detached: true,
    env: {
      ...process.env,
      PATH: `${join(workspace, 'node_modules/.bin')}:${process.env['PATH']}`,
      HR_DATABASE: 'pglite:memory',
      HR_PORT: String(await freePort()),
      HR_CONSOLE_PORT: '0',
      HR_CONSOLE_DATA: folder,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const text of start.stdout) {
    output += String(text);
    if (output.includes('Ctrl-C stops it.') && output.includes('/sign-in#')) break;
  }
  const [, origin = '', code] = /(http:\S+)\/sign-in#(\S+)/.exec(output) ?? [];
  const response = await fetch(`${origin}/bff/session`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  expect(await response.json()).toMatchObject({ environment: 'demo', health: { state: 'current' } });
  const ended = once(start, 'exit');
  // As Ctrl-C in a terminal: every process of the group gets it.
  process.kill(-(start.pid ?? 0), 'SIGINT');
  await ended;
  await expect.poll(() => fetch(origin).then(String, String)).toContain('fetch failed');
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
