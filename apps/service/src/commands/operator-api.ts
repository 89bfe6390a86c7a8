import { randomUUID } from 'node:crypto';
import type { Problem } from '@hr/schemas';
import { createLog } from '../create-log.ts';
import type { Config } from '../config.ts';
import { FolderHeldError } from '../database/database-errors.ts';
import { databaseFolder } from '../database/open-database.ts';
import { readOperatorAccess } from '../operator-access.ts';
import { createServer } from '../server.ts';
import { CommandError } from './command-error.ts';
import { withDatabase } from './with-database.ts';

const TIMEOUT_MS = 30_000;

/** Calls an operator route, `/operator/v1` and `path`, and gives its JSON. */
export type OperatorApi = (method: 'GET' | 'POST', path: string, body?: object) => Promise<unknown>;

interface Reply {
  readonly status: number;
  readonly text: string;
}

/**
 * Runs `work` on the operator's routes: inside this process, or where a running service holds the database folder,
 * over its HTTP.
 *
 * @throws {FolderHeldError} when a process that serves nothing holds the folder.
 */
export async function withOperatorApi<Result>(
  config: Config,
  work: (operator: OperatorApi) => Promise<Result>,
): Promise<Result> {
  try {
    return await withDatabase(config, async (database) => {
      const commandLineToken = randomUUID();
      const server = createServer({ database, config, log: createLog('silent'), commandLineToken });
      try {
        return await work(
          operatorApi(commandLineToken, async (url, init) => {
            const { statusCode, body } = await server.inject({ url, ...init });
            return { status: statusCode, text: body };
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
      operatorApi(access.token, async (path, init) => {
        const response = await fetch(access.url + path, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
          () => {
            throw error;
          },
        );
        return { status: response.status, text: await response.text() };
      }),
    );
  }
}

interface RequestInit {
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
}

function operatorApi(token: string, send: (url: string, init: RequestInit) => Promise<Reply>): OperatorApi {
  return async (method, path, body) => {
    const { status, text } = await send(`/operator/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (status === 200) return JSON.parse(text) as unknown;
    const { detail = `The service answered ${status}.` } = JSON.parse(text) as Problem;
    throw new CommandError(detail, status === 400 ? 2 : 1);
  };
}
