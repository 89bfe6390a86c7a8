import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { printable, printableJson } from '@hr/text/printable';
import { CliError, exitCodes, type ExitCode } from './cli-error.ts';
import type { Context } from './context.ts';
import { readInput } from './read-input.ts';

interface ApiOptions {
  readonly field?: readonly string[];
  readonly inputFile?: string;
  readonly include?: true;
}

const READS = new Set(['GET', 'HEAD']);
const REQUEST_TIMEOUT = 408;

/** `hr api`: sends one request and prints the body as it is. It never retries. */
export async function api(
  context: Context,
  method: string,
  path: string | undefined,
  { field = [], inputFile, include }: ApiOptions,
): Promise<number | void> {
  if (path === undefined) return await api(context, 'GET', method, { field, ...(include && { include }) });
  const { baseUrl } = await context.profile();
  if (!path.startsWith('/')) throw new CliError(`${path}: the path must start with "/".`, exitCodes.usage);
  const url = new URL(baseUrl.replace(/\/+$/, '') + path);
  // The token is for this service alone.
  if (url.origin !== new URL(baseUrl).origin) {
    throw new CliError(`${path}: must be a path of ${baseUrl}.`, exitCodes.usage);
  }
  for (const pair of field) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (name === undefined) throw new CliError(`--field ${pair}: must be name=value.`, exitCodes.usage);
    url.searchParams.append(name, value ?? '');
  }
  const { stdout, stderr } = context.terminal;
  const body = inputFile === undefined ? undefined : await readInput(context.terminal, inputFile);
  const verb = method.toUpperCase();
  const { signal } = context;
  const token = await context.token();
  const failed = (error: unknown): never => {
    // A reader such as `head` has read enough.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') throw error;
    if (signal.aborted && READS.has(verb)) throw new CliError('Interrupted.', exitCodes.interrupted);
    // Its message may quote the request.
    const reason = (error as { cause?: { code?: string } }).cause?.code ?? 'no complete response';
    throw READS.has(verb)
      ? new CliError(`No response (${reason}). Run: hr doctor`, exitCodes.network)
      : new CliError(`No response (${reason}). The request may have taken effect.`, exitCodes.unknownOutcome);
  };
  const response = await fetch(url, {
    method: verb,
    redirect: 'manual',
    signal,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token.value}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: new Uint8Array(body) }),
  }).catch(failed);
  if (include) {
    stdout.write(`HTTP ${response.status} ${response.statusText}\n`);
    for (const [name, value] of response.headers) stdout.write(`${name}: ${printable(value)}\n`);
    stdout.write('\n');
  }
  if (response.body) {
    // The types of the web's streams and Node's differ.
    const content = Readable.fromWeb(response.body as never);
    const shown = stdout.isTTY ? content.setEncoding('utf8').map(printableJson) : content;
    await pipeline(shown, stdout, { end: false, signal }).catch(failed);
    if (stdout.isTTY) stdout.write('\n');
  }
  if (response.ok) return;
  stderr.write(`hr: ${verb} ${path}: status ${response.status}\n`);
  return exitCodeOfStatus(response.status, verb);
}

function exitCodeOfStatus(status: number, verb: string): ExitCode {
  if (status === 401 || status === 403) return exitCodes.authentication;
  if (status === 404) return exitCodes.notFound;
  if (!READS.has(verb) && (status >= 500 || status === REQUEST_TIMEOUT || status < 400))
    return exitCodes.unknownOutcome;
  return status >= 400 && status < 500 ? exitCodes.rejected : exitCodes.failure;
}
