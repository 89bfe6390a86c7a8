import { once } from 'node:events';
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { buffer } from 'node:stream/consumers';
import { Cursor } from '@hr/schemas';
import { exampleTokens } from '../contract/example-tokens.ts';
import { headerOf, jsonOf, type Interaction, type Pact } from '../contract/pact.ts';
import { HrTestingError } from '../hr-testing-error.ts';
import type { ProviderState } from '../states/provider-states.ts';
import { readState } from '../states/read-state.ts';
import { sendAndReadBack } from './read-back.ts';
import type { Fault } from './verification-result.ts';
import type { StateContext, VerifyOptions } from './verify-options.ts';

const MAX_RESPONSE_MS = 10_000;
const MAX_HOOK_MS = 30_000;

export interface ProviderResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** An interaction and its outcome. */
export interface InteractionRun {
  readonly pact: Pact;
  readonly interaction: Interaction;
  /** Why it could not run. */
  readonly faults: Fault[];
  response?: ProviderResponse;
  /** What the provider does not have after a write. */
  readBack?: readonly Fault[];
}

type AnyHandler = (parameters: unknown, context: StateContext) => void | Promise<void>;

/** Resets the provider and sets up the states of an interaction, one after the other, until something fails. */
export async function setUp(run: InteractionRun, { states: handlers, reset }: VerifyOptions): Promise<void> {
  const states: ProviderState[] = [];
  for (const { name, params } of run.interaction.providerStates ?? []) {
    // oxlint-disable-next-line no-await-in-loop -- only the first fault is reported
    await attempt(run, `state "${name}"`, () => {
      const state = readState(name, params);
      states.push(state);
      if (!Object.hasOwn(handlers, name) || !handlers[state[0]])
        throw cannotRun('no handler. Add one to the option "states".');
    });
  }
  await attempt(run, 'reset', () => within(MAX_HOOK_MS, () => reset?.({ states })));
  for (const [index, [name, parameters = {}]] of states.entries()) {
    const handler = handlers[name] as AnyHandler;
    const context = { states: states.slice(0, index + 1) };
    // oxlint-disable-next-line no-await-in-loop -- each state builds on those before it
    await attempt(run, `handler of state "${name}"`, () => within(MAX_HOOK_MS, () => handler(parameters, context)));
  }
}

/** Undoes what {@link setUp} has done. */
export async function cleanUp(run: InteractionRun, { tearDown }: VerifyOptions): Promise<void> {
  const states = run.interaction.providerStates ?? [];
  await attempt(run, 'tearDown', () =>
    within(MAX_HOOK_MS, () => tearDown?.({ states: states.map(({ name, params }) => readState(name, params)) })),
  );
}

/**
 * Sends a request to the provider with a real token and a real cursor. Pact receives the media type of the contract,
 * because this kit compares media types itself.
 */
export async function send(
  run: InteractionRun,
  options: VerifyOptions,
  request: IncomingMessage,
): Promise<ProviderResponse> {
  const { headers } = request;
  const body = await buffer(request);
  await attempt(run, 'header Authorization', async () => {
    const { authorization } = headers;
    const isValid = authorization === `Bearer ${exampleTokens.valid}`;
    if (isValid || authorization === `Bearer ${exampleTokens.withoutScope}`)
      headers.authorization = `Bearer ${await tokenOf(isValid ? 'token' : 'tokenWithoutScope', options)}`;
  });
  // A request that is to be rejected keeps its own.
  if (run.interaction.response.status === 200)
    await attempt(run, 'query after', () => insertCursor(request, options.provider.url));
  await attempt(run, 'provider', async () => {
    const { approvePayments } = options;
    const { response, faults } = await sendAndReadBack(run.interaction, {
      send: () => forwardRequest(options.provider.url, request, body),
      read(url, token) {
        const authorization = token === undefined ? headers.authorization : `Bearer ${token}`;
        return forwardRequest(options.provider.url, { method: 'GET', url, headers: { authorization } });
      },
      approvePayments: approvePayments && (() => within(MAX_HOOK_MS, approvePayments)),
    });
    run.response = response;
    run.readBack = faults;
  });
  if (!run.response) return { status: 503, headers: {}, body: Buffer.from('') };
  const type = headerOf(run.interaction.response, 'content-type');
  return type === undefined
    ? run.response
    : { ...run.response, headers: { ...run.response.headers, 'content-type': type } };
}

/** Replaces a cursor by one that the provider sends now, after which nothing has changed. */
async function insertCursor(request: IncomingMessage, providerUrl: string): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '', providerUrl);
  if (!searchParams.has('after')) return;
  const others = new URLSearchParams([...searchParams].filter(([name]) => name !== 'after' && name !== 'wait'));
  const { method, headers } = request;
  const response = await forwardRequest(providerUrl, { method, headers, url: `${pathname}?${others.toString()}` });
  const cursor = response.headers['hr-cursor'] ?? (jsonOf(response.body.toString()) as { cursor?: unknown })?.cursor;
  if (!Cursor.safeParse(cursor).success)
    throw cannotRun(`the response to the request without it has status ${response.status} and no cursor.`);
  searchParams.set('after', String(cursor));
  request.url = `${pathname}?${searchParams.toString()}`;
}

async function tokenOf(option: 'token' | 'tokenWithoutScope', options: VerifyOptions): Promise<string> {
  const source = options[option];
  if (!source) throw cannotRun(`the pact needs a token. Set the option "${option}".`);
  const token: unknown = await within(MAX_HOOK_MS, source);
  if (typeof token === 'string' && token !== '') return token;
  throw cannotRun(`the option "${option}" returned no token.`);
}

/** Runs a step of an interaction unless an earlier one has failed. */
async function attempt(run: InteractionRun, place: string, step: () => void | Promise<void>): Promise<void> {
  if (run.faults.length > 0) return;
  try {
    await step();
  } catch (error) {
    const message = error instanceof HrTestingError ? error.message : kindAndPlaceOf(error);
    run.faults.push({ place, message: message.replace(`provider ${place}: `, '') });
  }
}

/** An error of a handler, without its message, which may contain personal data of the provider. */
function kindAndPlaceOf(error: unknown): string {
  const { name, message, code, stack } = Object(error) as Readonly<Record<string, unknown>>;
  const frames = String(stack)
    .replace(String(message), '')
    .split('\n')
    .filter((line) => /^ +at /.test(line));
  const frame = frames.find((line) => !/node_modules|node:/.test(line)) ?? frames[0] ?? '';
  const [, place] = /([^\\/(\s]+:\d+):\d+\)?$/.exec(frame) ?? [];
  const words = [name, code].filter((word) => typeof word === 'string' && /^[\w-]+$/.test(word));
  const thrown = [words.join(' ') || 'no error', ...(place === undefined ? [] : [place])].join(' at ');
  return `threw ${thrown}. Its message is not shown, as it may contain personal data. Catch it there to read it.`;
}

/** Why an interaction cannot run, without personal data. */
export function cannotRun(message: string, options?: ErrorOptions): HrTestingError {
  return new HrTestingError('verification-failed', message, options);
}

/**
 * Sends an unchanged request to the provider. It does not use a proxy or follow redirects.
 *
 * @throws {Error} if there is no complete response in time.
 */
async function forwardRequest(
  providerUrl: string,
  {
    method,
    url: path = '/',
    headers: { host: _host, connection: _connection, ...headers },
  }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  body?: Buffer,
): Promise<ProviderResponse> {
  const url = new URL(providerUrl.replace(/\/+$/, '') + path);
  const { request } = url.protocol === 'https:' ? https : http;
  // The body must not be compressed, because the kit reads it.
  const sent = { ...headers, 'accept-encoding': 'identity' };
  const outgoing = request(url, { method, headers: sent, agent: false }).on('error', () => undefined);
  try {
    return await within(MAX_RESPONSE_MS, async () => {
      const [incoming] = (await once(outgoing.end(body), 'response')) as [IncomingMessage];
      const { statusCode: status = 0, headers: given } = incoming;
      const { 'content-encoding': encoding = 'identity' } = given;
      if (encoding !== 'identity') throw cannotRun(`the body is in ${encoding}, which was not accepted.`);
      return { status, headers: given, body: await buffer(incoming) };
    });
  } catch (error) {
    throw cannotRun(`no complete response: ${(error as Error).message}`, { cause: error });
  } finally {
    outgoing.destroy();
  }
}

/** Runs something with a timeout. */
async function within<Value>(milliseconds: number, run: () => Value | Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(cannotRun(`timed out after ${milliseconds / 1000} s.`)), milliseconds);
  try {
    return await Promise.race([run(), late]);
  } finally {
    clearTimeout(timer);
  }
}
