import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import getPort from 'get-port';
import { amount } from '../figures.ts';
import type { Part } from '../part.ts';
import { memoryOf, spawnService, stop } from '../processes.ts';
import { timeToLastByte } from '../requests.ts';

interface DemoRun {
  readonly startSeconds: number;
  readonly restMegabytes: number;
  readonly peakMegabytes: number;
}

const form = { grant_type: 'client_credentials', client_id: 'demo', client_secret: 'demo-secret' };

/** The token of the demo's client, as soon as there is one. */
async function firstToken(origin: string): Promise<string> {
  for (;;) {
    // oxlint-disable no-await-in-loop -- one attempt after the other
    const response = await fetch(`${origin}/api/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    }).catch(() => undefined);
    if (response?.ok) return ((await response.json()) as { access_token: string }).access_token;
    await response?.body?.cancel();
    await wait(5);
    // oxlint-enable no-await-in-loop
  }
}

async function runDemo(folder: string, restMs: number): Promise<DemoRun> {
  const port = await getPort({ host: '127.0.0.1' });
  const origin = `http://127.0.0.1:${port}`;
  const start = performance.now();
  const child = spawnService('demo', { HR_DATABASE: `pglite:${folder}`, HR_PORT: String(port) });
  try {
    const token = await firstToken(origin);
    await timeToLastByte({ origin, token }, '/api/v1/persons');
    const startSeconds = (performance.now() - start) / 1000;
    await wait(restMs);
    return {
      startSeconds,
      restMegabytes: await memoryOf(child),
      peakMegabytes: await memoryOf(child, 'VmHWM'),
    };
  } finally {
    await stop(child);
  }
}

/** Memory and start of the demo, whose database is embedded. */
export const demo: Part = {
  name: 'demo',
  async run({ turns, roundMs }) {
    const runs = await Array.fromAsync({ length: Math.min(turns, 3) }, async () => {
      await using folder = await mkdtempDisposable(join(tmpdir(), 'hr-bench-'));
      const first = await runDemo(folder.path, 5 * roundMs);
      return { first, second: await runDemo(folder.path, roundMs) };
    });
    const rest = runs.map(({ first }) => first.restMegabytes);
    const peak = runs.map(({ first }) => first.peakMegabytes);
    const start = runs.map(({ second }) => second.startSeconds);
    return [
      amount({ measure: 'memory of the demo at rest', unit: 'MB', goal: '≤ 300' }, rest),
      amount({ measure: 'memory of the demo at its peak', unit: 'MB', goal: '≤ 450' }, peak),
      amount({ measure: 'start of the loaded demo to its first list of persons', unit: 's', goal: '≤ 2' }, start),
    ];
  },
};
