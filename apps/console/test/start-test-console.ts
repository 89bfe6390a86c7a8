import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { afterAll, inject } from 'vitest';
import { readConfig } from '../src/backend/config.ts';
import { startConsole, type RunningConsole } from '../src/console-server.ts';
import { HrCloud } from '../src/backend/hr-cloud.ts';
import { localId, type Records } from '../src/backend/records.ts';
import { dataRights, roles, type Grant, type Role } from '../src/model/grants.ts';
import { sessionCookie } from '../src/backend/sessions.ts';

/** A person of a test. By default `Mara Demo`, who may do and see everything. */
export interface TestUser {
  /** Each name is another person. */
  readonly name?: string;
  /** With all data of everybody. */
  readonly roles?: readonly Role[];
  /** In place of `roles`. */
  readonly grants?: readonly Grant[];
  readonly employeeNumber?: string;
}

/** Adds a person, and returns the code of a link that signs them in. */
export function signInCode(records: Records, user: TestUser = {}): string {
  const { name = 'Mara Demo', roles: some = roles, employeeNumber } = user;
  const { grants = [[...some, ...dataRights, 'everyone']] } = user;
  const login = name.toLowerCase().replaceAll(' ', '.');
  records.savePerson({ id: localId(login), name, login, grants, employeeNumber });
  return records.signInLink('', localId(login))?.split('#')[1] ?? '';
}

/** A console for a test, on a port of its own. */
export interface TestConsole extends RunningConsole {
  /** A link that signs a person in; without roles, with all of them. */
  readonly link: (user?: TestUser) => string;
  /** The cookie's value of a new session of a person. */
  readonly session: (user?: TestUser) => string;
  /** Sends requests to the backend as a browser page does. Each call signs in anew. */
  readonly signIn: (user?: TestUser) => BffCaller;
}

/** Sends a request to the backend in a session. Its path begins with `/bff/`. */
export type BffCaller = (path: string, body?: unknown, init?: Init) => Promise<Response>;

interface Init {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A local copy of the demo, as a console leaves it. To read one takes a request for each person. */
async function readDemo(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'hr-console-'));
  {
    await using cloud = new HrCloud(readConfig({ HR_BASE_URL: inject('demoUrl'), HR_CONSOLE_DATA: folder }, true));
    await Promise.all([cloud.sync('persons'), cloud.sync('bookings')]);
    await cloud.sync('absences');
  }
  const copy = await readFile(join(folder, 'mirror.db'));
  await rm(folder, { recursive: true });
  return copy;
}

/** The test files of a process share it. */
let demo: Promise<Buffer> | undefined;

/** The file `mirror.db` of a console that has read the demo. */
export function copyOfDemo(): Promise<Buffer> {
  return (demo ??= readDemo());
}

/**
 * Starts a console, with a local copy of the demo unless it has another service.
 *
 * @param settings - Beside those of the demo.
 */
export async function startTestConsole(
  settings: Readonly<Record<string, string>> = {},
  log?: Logger,
): Promise<TestConsole> {
  const folder = await mkdtemp(join(tmpdir(), 'hr-console-'));
  if (!('HR_BASE_URL' in settings)) {
    await writeFile(join(folder, 'mirror.db'), await copyOfDemo(), { mode: 0o600 });
  }
  const environment = { HR_BASE_URL: inject('demoUrl'), HR_CONSOLE_DATA: folder, HR_CONSOLE_PORT: '0', ...settings };
  const running = await startConsole(readConfig(environment, true), log);
  const link = (user?: TestUser): string => `${running.origin()}/sign-in#${signInCode(running.records, user)}`;
  const session = (user?: TestUser): string => running.records.signIn(signInCode(running.records, user))?.token ?? '';
  const signIn = (user?: TestUser): BffCaller => {
    const origin = running.origin();
    const headers = {
      origin,
      'content-type': 'application/json',
      cookie: `${sessionCookie(running.config).name}=${session(user)}`,
    };
    return async (path, body, init) =>
      await fetch(`${origin}${path}`, {
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        ...init,
        headers: { ...headers, ...init?.headers },
      });
  };
  return {
    ...running,
    link,
    session,
    signIn,
    [Symbol.asyncDispose]: async () => {
      await running[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

/** Starts a console for the tests of a file, and ends it after them. */
export async function consoleOfFile(settings?: Readonly<Record<string, string>>): Promise<TestConsole> {
  const server = await startTestConsole(settings);
  afterAll(() => server[Symbol.asyncDispose]());
  return server;
}
