import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { readConfig } from '../src/server/config.ts';
import { startConsole } from '../src/server/console-server.ts';
import type { RunningConsole } from '../src/server/console-server.ts';
import { roles } from '../src/server/records.ts';
import type { User } from '../src/server/records.ts';
import { signInLink } from '../src/server/sign-in-link.ts';

/** A console for a test, on a port of its own. */
export interface TestConsole extends RunningConsole {
  /** A link that signs a person in; without roles, with all of them. */
  readonly link: (user?: Partial<User>) => string;
  /** Sends requests to the backend as a browser page does. Each call signs in anew. */
  readonly signIn: (user?: Partial<User>) => Promise<BffCaller>;
}

/** Sends a request to the backend in a session. Its path begins with `/bff/`. */
export type BffCaller = (path: string, body?: unknown, init?: Init) => Promise<Response>;

interface Init {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Starts a console for the service, and waits until its local copy is complete.
 *
 * @param settings - Beside those of the demo.
 */
export async function startTestConsole(settings: Readonly<Record<string, string>> = {}): Promise<TestConsole> {
  const folder = await mkdtemp(join(tmpdir(), 'hr-console-'));
  const environment = { HR_BASE_URL: inject('demoUrl'), HR_CONSOLE_DATA: folder, HR_CONSOLE_PORT: '0', ...settings };
  const running = await startConsole(readConfig(environment, true));
  const link = (user?: Partial<User>): string =>
    signInLink(running.origin(), running.records, { name: 'Mara Demo', roles, ...user });
  const signIn = async (user?: Partial<User>): Promise<BffCaller> => {
    const origin = running.origin();
    const [, code] = link(user).split('#');
    const headers = { origin, 'content-type': 'application/json' };
    const response = await fetch(`${origin}/bff/session`, { method: 'POST', headers, body: JSON.stringify({ code }) });
    const cookie = response.headers.getSetCookie().at(-1)?.split(';')[0] ?? '';
    return async (path, body, init) =>
      await fetch(`${origin}${path}`, {
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        ...init,
        headers: { ...headers, cookie, ...init?.headers },
      });
  };
  return {
    ...running,
    link,
    signIn,
    [Symbol.asyncDispose]: async () => {
      await running[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}
