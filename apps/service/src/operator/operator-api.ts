import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
import type { Problem } from '@hr/schemas';
import type { z } from 'zod';
import { FolderHeldError } from '../database/database-errors.ts';
import { databaseFolder } from '../database/open-database.ts';
import { readOperatorAccess } from './operator-access.ts';
import type { OperatorOperationId, OperatorOperations } from './operator-operations.ts';
import { CommandError } from '../commands/report-failure.ts';
import type { Terminal } from '../commands/terminal.ts';
import { printable } from '../commands/terminal.ts';
import { withDatabase } from '../commands/with-database.ts';

const TIMEOUT_MS = 30_000;
const OTHER_SERVICE = 'What answers is not the service that holds the database folder: start it again.';

type InputsOf<Operation extends OperatorOperations[OperatorOperationId]> =
  (keyof Operation['pathParameters']['shape'] extends never
    ? { readonly path?: undefined }
    : { readonly path: z.input<Operation['pathParameters']> }) & {
    readonly query?: z.input<Operation['query']>;
  } & (Operation extends { readonly body: infer Body extends z.ZodType }
      ? undefined extends z.input<Body>
        ? { readonly body?: z.input<Body> }
        : { readonly body: z.input<Body> }
      : { readonly body?: undefined });

/** The inputs of an operation of operators. */
export type OperatorInputs<Id extends OperatorOperationId> = InputsOf<OperatorOperations[Id]>;

/** The response of an operation of operators. */
export type OperatorResponse<Id extends OperatorOperationId> = OperatorOperations[Id]['list'] extends true
  ? z.output<OperatorOperations[Id]['response']>[]
  : z.output<OperatorOperations[Id]['response']>;

/**
 * Calls an operation of operators and checks its response.
 *
 * @throws {CommandError} if the service rejects the request or sends an unexpected response.
 * @throws {FolderHeldError} if a process that serves nothing holds the database folder.
 * @example
 * await callOperator(terminal, 'operatorListVariablePayments', { query: { state: 'submitted' } });
 */
export function callOperator<Id extends OperatorOperationId>(
  terminal: Pick<Terminal, 'env'>,
  id: Id,
  inputs: OperatorInputs<Id>,
): Promise<OperatorResponse<Id>> {
  return readOperator(terminal, id, inputs, (body) => checkedResponse(id, body));
}

/** Reads a response of {@link readOperator} to its end and checks it. */
export async function checkedResponse<Id extends OperatorOperationId>(
  id: Id,
  body: Readable,
): Promise<OperatorResponse<Id>> {
  const { operatorOperations } = await import('./operator-operations.ts');
  const { response, list } = operatorOperations[id];
  const model: z.ZodType = list ? response.array() : response;
  const value = await json(body);
  if (!model.safeParse(value).success) throw new CommandError(OTHER_SERVICE);
  // As sent, because a newer service may send more fields, and an export has to be complete.
  return value as OperatorResponse<Id>;
}

/**
 * Calls an operation of operators, in this process or, where a running service holds the database folder, over its HTTP.
 * `read` gets the bytes of the response, of any length.
 */
export async function readOperator<Id extends OperatorOperationId, Result>(
  { env }: Pick<Terminal, 'env'>,
  id: Id,
  inputs: OperatorInputs<Id>,
  read: (body: Readable) => Promise<Result>,
): Promise<Result> {
  const { readConfig } = await import('../config.ts');
  const config = readConfig(env);
  const request = await requestOf(id, inputs);
  try {
    return await withDatabase(config, async (database) => {
      const [{ createServer }, { createLog }] = await Promise.all([import('../server.ts'), import('../create-log.ts')]);
      const commandLineToken = randomUUID();
      const server = createServer({ database, config, log: createLog('silent'), commandLineToken });
      try {
        const { url, ...init } = request(commandLineToken);
        const response = await server.inject({ url, ...init, payloadAsStream: true });
        const body = response.stream();
        // Closing the body ends the response, as the end of a connection does.
        body.once('close', () => response.raw.res.destroy());
        return await read(await succeeded(response.statusCode, body));
      } finally {
        await server.close();
      }
    });
  } catch (error) {
    const folder = databaseFolder(config.database);
    if (folder === undefined || !(error instanceof FolderHeldError)) throw error;
    const access = await readOperatorAccess(folder);
    if (!access) throw error;
    const { url, ...init } = request(access.token);
    // The response has to begin in time. It may take any time to end.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), TIMEOUT_MS);
    const response = await fetch(access.url + url, { ...init, signal: late.signal })
      .catch(() => {
        throw error;
      })
      .finally(() => clearTimeout(timer));
    return read(await succeeded(response.status, Readable.fromWeb(response.body as ReadableStream)));
  }
}

async function requestOf<Id extends OperatorOperationId>(id: Id, { path, query, body }: OperatorInputs<Id>) {
  const { operatorOperations } = await import('./operator-operations.ts');
  const operation = operatorOperations[id];
  const ids: Readonly<Record<string, string>> = path ?? {};
  const parameters = Object.entries<string | undefined>(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const address = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? ''));
  return (token: string) => ({
    url:
      parameters.length > 0 ? `${address}?${new URLSearchParams(Object.fromEntries(parameters)).toString()}` : address,
    method: operation.method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function succeeded(status: number, body: Readable): Promise<Readable> {
  if (status === 200) return body;
  const { detail = `The service answered ${status}.` } = (await json(body)) as Problem;
  throw new CommandError(printable(detail), status === 400 ? 2 : 1);
}

async function json(body: Readable): Promise<unknown> {
  const response = await text(body);
  try {
    return JSON.parse(response);
  } catch {
    throw new CommandError(OTHER_SERVICE);
  }
}
