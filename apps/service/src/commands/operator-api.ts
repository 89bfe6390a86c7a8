import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
import type { Problem } from '@hr/schemas';
import { createLog } from '../create-log.ts';
import type { Config } from '../config.ts';
import { FolderHeldError } from '../database/database-errors.ts';
import { databaseFolder } from '../database/open-database.ts';
import { readOperatorAccess } from '../operator-access.ts';
import { printable } from '../printable.ts';
import { createServer } from '../server.ts';
import { CommandError } from './command-error.ts';
import { withDatabase } from './with-database.ts';

const TIMEOUT_MS = 30_000;

/** Calls an operator route, `/operator/v1` and `path`, and gives its JSON. */
export type OperatorApi = (method: 'GET' | 'POST', path: string, body?: object) => Promise<unknown>;

/** Reads a list of an operator route as the bytes of its JSON, of any length. */
export type OperatorList = (path: string) => Promise<Readable>;

interface Reply {
  readonly status: number;
  readonly body: Readable;
}

/**
 * Runs `work` on the operator's routes: inside this process, or where a running service holds the database folder,
 * over its HTTP.
 *
 * @throws {FolderHeldError} when a process that serves nothing holds the folder.
 */
export async function withOperatorApi<Result>(
  config: Config,
  work: (operator: OperatorApi, list: OperatorList) => Promise<Result>,
): Promise<Result> {
  try {
    return await withDatabase(config, async (database) => {
      const commandLineToken = randomUUID();
      const server = createServer({ database, config, log: createLog('silent'), commandLineToken });
      try {
        return await work(
          ...operatorApi(commandLineToken, async (url, init) => {
            const response = await server.inject({ url, ...init, payloadAsStream: true });
            const body = response.stream();
            // Whoever stops reading ends the answer, as the end of a connection does.
            body.once('close', () => response.raw.res.destroy());
            return { status: response.statusCode, body };
          }),
        );
      } finally {
        await server.close();
      }
    });
  } catch (error) {
    const folder = databaseFolder(config.database);
    if (folder === undefined || !(error instanceof FolderHeldError)) throw error;
    const access = await readOperatorAccess(folder);
    if (!access) throw error;
    return work(
      ...operatorApi(access.token, async (path, init) => {
        // The answer has to begin in time; how long it is, nobody knows.
        const late = new AbortController();
        const timer = setTimeout(() => late.abort(), TIMEOUT_MS);
        const response = await fetch(access.url + path, { ...init, signal: late.signal })
          .catch(() => {
            throw error;
          })
          .finally(() => clearTimeout(timer));
        return { status: response.status, body: Readable.fromWeb(response.body as ReadableStream) };
      }),
    );
  }
}

interface RequestInit {
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
}

function operatorApi(
  token: string,
  send: (url: string, init: RequestInit) => Promise<Reply>,
): [OperatorApi, OperatorList] {
  async function answer(method: 'GET' | 'POST', path: string, body?: object): Promise<Readable> {
    const reply = await send(`/operator/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (reply.status === 200) return reply.body;
    const { detail = `The service answered ${reply.status}.` } = (await json(reply.body)) as Problem;
    throw new CommandError(printable(detail), reply.status === 400 ? 2 : 1);
  }
  return [async (method, path, body) => json(await answer(method, path, body)), (path) => answer('GET', path)];
}

async function json(body: Readable): Promise<unknown> {
  const answer = await text(body);
  try {
    return JSON.parse(answer);
  } catch {
    throw new CommandError('What answers is not the service that holds the database folder: start it again.');
  }
}
