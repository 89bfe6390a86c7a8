import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import type { Problem } from '@hr/schemas';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { FolderHeldError } from '../database/database-errors.ts';
import type { Config } from '../config/config.ts';
import { databaseFolder } from '../database/open-database.ts';
import type { ServiceContext } from '../http/runtime.ts';
import { connectToOperator } from './operator-socket.ts';
import type { OperatorOperation } from './operator-operation.ts';
import { CommandError } from '../terminal/command-error.ts';
import { printable, type Terminal } from '../terminal/terminal.ts';
import { withDatabase } from '../terminal/with-database.ts';

const TIMEOUT_MS = 30_000;
const OTHER_SERVICE = 'What answers is not the service that holds the database folder: start it again.';

/** The inputs of an operation of operators. The service checks them. */
export interface OperatorInputs {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The response of an operation of operators. */
export type OperatorResponse<Operation extends Pick<OperatorOperation, 'list' | 'response'>> =
  Operation['list'] extends true ? z.output<Operation['response']>[] : z.output<Operation['response']>;

/** Where commands call operations of operators. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Makes a service that answers to this process alone. */
  readonly createServer: (context: ServiceContext) => Promise<FastifyInstance>;
}

/**
 * Calls an operation of operators and checks its response.
 *
 * @throws {CommandError} if the service rejects the request or sends an unexpected response.
 * @throws {FolderHeldError} if a process that serves nothing holds the database folder.
 * @example
 * await callOperator(context, paymentOperations.operatorListVariablePayments, { query: { state: 'submitted' } });
 */
export function callOperator<Operation extends OperatorOperation>(
  context: CommandContext,
  operation: Operation,
  inputs: OperatorInputs,
): Promise<OperatorResponse<Operation>> {
  return readOperator(context, operation, inputs, (body) => checkedResponse(operation, body));
}

/** Reads a response of {@link readOperator} to its end and checks it. */
export async function checkedResponse<Operation extends Pick<OperatorOperation, 'list' | 'response'>>(
  { list, response }: Operation,
  body: Readable,
): Promise<OperatorResponse<Operation>> {
  const model: z.ZodType = list ? response.array() : response;
  const value = await json(body);
  if (!model.safeParse(value).success) throw new CommandError(OTHER_SERVICE);
  // As sent, because a newer service may send more fields, and an export has to be complete.
  return value as OperatorResponse<Operation>;
}

/**
 * Calls an operation of operators, in this process or, where a running service holds the database folder, over its Unix
 * socket. `read` gets the bytes of the response, of any length.
 */
export async function readOperator<Result>(
  { terminal, createServer }: CommandContext,
  operation: Pick<OperatorOperation, 'method' | 'path'>,
  inputs: OperatorInputs,
  read: (body: Readable) => Promise<Result>,
): Promise<Result> {
  const { readConfig } = await import('../config/config.ts');
  const config = readConfig(terminal.env);
  const request = requestOf(operation, inputs);
  try {
    return await withDatabase(config, async (database) => {
      const { createLog } = await import('../config/create-log.ts');
      const server = await createServer({ database, config, log: createLog('silent'), isCommandLine: () => true });
      try {
        const response = await server.inject({ ...request, payloadAsStream: true });
        const body = response.stream();
        // Closing the body ends the response, as the end of a connection does.
        body.once('close', () => response.raw.res.destroy());
        return await read(await succeeded(response.statusCode, body));
      } finally {
        await server.close();
      }
    });
  } catch (error) {
    const connection = await connectionToHolder(config, error);
    // The response has to begin in time. It may take any time to end.
    const timer = setTimeout(() => connection.destroy(), TIMEOUT_MS);
    const response = await sendRequest(connection, request)
      .catch(() => {
        throw error;
      })
      .finally(() => clearTimeout(timer));
    return read(await succeeded(response.statusCode, response));
  }
}

/**
 * Connects to the service that holds the database folder.
 *
 * @param error why the folder could not be opened; thrown where no service is the reason
 */
export async function connectionToHolder({ database }: Pick<Config, 'database'>, error: unknown): Promise<Socket> {
  const folder = databaseFolder(database);
  if (folder === undefined || !(error instanceof FolderHeldError)) throw error;
  return connectToOperator(folder).catch(() => {
    throw error;
  });
}

interface OperatorRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Readable;
}

/** Sends a request on a connection of its own. The response may come before all of the body is sent. */
export async function sendRequest(
  connection: Socket,
  { method, url: path, headers = {}, body = '' }: OperatorRequest,
): Promise<IncomingMessage> {
  const request = httpRequest({ createConnection: () => connection, method, path, headers });
  const responded = once(request, 'response') as Promise<[IncomingMessage]>;
  if (typeof body === 'string') request.end(body);
  const sent = typeof body === 'string' ? responded : pipeline(body, request).then(() => responded);
  const [response] = await Promise.race([responded, sent]);
  sent.catch(() => {});
  return response;
}

function requestOf(
  { method, path: template }: Pick<OperatorOperation, 'method' | 'path'>,
  { path = {}, query = {}, body }: OperatorInputs,
): OperatorRequest & { readonly body?: string } {
  const parameters = new URLSearchParams(query).toString();
  const address = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  return {
    url: parameters === '' ? address : `${address}?${parameters}`,
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
}

async function succeeded(status: number | undefined, body: Readable): Promise<Readable> {
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
