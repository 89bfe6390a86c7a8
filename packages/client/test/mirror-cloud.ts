import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeHrCloud, type FakeHrCloud } from '@hr/testing/fake';
import { exampleTokens } from '@hr/testing/pact';
import { onTestFinished, vi } from 'vitest';
import { createHrClient, type HrClient } from '../src/index.ts';
import { openMirror, type Mirror, type MirrorRowChange } from '../src/mirror/index.ts';

/** A fake HR Cloud without a network, whose clock is that of the test. */
export interface MirrorCloud {
  readonly fake: FakeHrCloud;
  readonly hr: HrClient;
  /** Path and query of the requests so far. */
  readonly requests: string[];
  /** Changes responses, such as their headers. */
  respond: (response: Response, target: string) => Response | Promise<Response>;
}

/** The path of a file that does not exist, in a folder that is removed after the test. */
export function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mirror-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'mirror.db');
}

export function newMirror(file = newFile()): Mirror {
  return openMirror({ file, source: 'https://hr.example.com' });
}

/** The changes of rows since the last call. The first call returns none. */
export async function changesOf(mirror: Mirror): Promise<MirrorRowChange[]> {
  const changes: MirrorRowChange[] = [];
  for await (const change of mirror.changes({ consumer: 'test' })) if (change.kind !== 'reset') changes.push(change);
  return changes;
}

/** Sets the clock of the test, and of every fake HR Cloud. `vi.useRealTimers()` ends it. */
export function setClock(instant: string): void {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(instant) });
}

/** @param hasCursors - Whether it has the extension of cursors. Default false. */
export function mirrorCloud(persons = 0, hasCursors = false): MirrorCloud {
  const fake = createFakeHrCloud({ persons });
  const requests: string[] = [];
  const cloud: MirrorCloud = {
    fake,
    requests,
    respond: (response) => response,
    hr: createHrClient({
      baseUrl: 'https://hr.example.com',
      auth: async () => exampleTokens.valid,
      retry: { limit: 0 },
      async fetch(url, init) {
        const target = url.replace('https://hr.example.com/api/v1', '');
        requests.push(target);
        const response = await fake.fetch(new Request(url, init));
        if (response.type !== 'error') response.headers.set('date', new Date().toUTCString());
        if (!hasCursors) response.headers.delete('hr-cursor');
        return cloud.respond(response, target);
      },
    }),
  };
  return cloud;
}

/** A response with another body. */
export function withBody(response: Response, body: unknown): Response {
  const headers = new Headers();
  for (const name of ['date', 'hr-cursor']) {
    const value = response.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return Response.json(body, { headers });
}
