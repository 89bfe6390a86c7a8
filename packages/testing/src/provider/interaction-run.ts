import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { exampleTokens } from '../contract/example-tokens.ts';
import { headerOf } from '../contract/pact.ts';
import type { Interaction, Pact } from '../contract/pact.ts';
import type { ProviderState } from '../states/provider-states.ts';
import { readState } from '../states/read-state.ts';
import { forwardRequest, runHook } from './forward-request.ts';
import type { ProviderResponse } from './forward-request.ts';
import type { StateContext } from './state-handlers.ts';
import type { Fault } from './verification-result.ts';
import type { VerifyOptions } from './verify-options.ts';

/** One interaction, and what came of it. */
export interface InteractionRun {
  readonly pact: Pact;
  readonly interaction: Interaction;
  /** Why it could not be tried. */
  readonly faults: Fault[];
  /** What a state handler, `reset`, a token source or the connection threw. */
  readonly errors: unknown[];
  response?: ProviderResponse;
}

type AnyHandler = (parameters: unknown, context: StateContext) => void | Promise<void>;

/** Resets the provider and sets up the states of an interaction, one after the other, until something fails. */
export async function setUp(run: InteractionRun, { states: handlers, reset }: VerifyOptions): Promise<void> {
  const states: ProviderState[] = [];
  for (const { name, params } of run.interaction.providerStates ?? []) {
    // oxlint-disable-next-line no-await-in-loop -- only the first fault is reported
    await attempt(run, `state "${name}"`, () => {
      states.push(readState(name, params));
      if (!Object.hasOwn(handlers, name)) throw new Error('no handler. Add one to the option "states".');
    });
  }
  await attempt(run, 'reset', () => runHook(() => reset?.({ states })));
  for (const [index, [name, parameters = {}]] of states.entries()) {
    const handler = handlers[name] as AnyHandler;
    const context = { states: states.slice(0, index + 1) };
    // oxlint-disable-next-line no-await-in-loop -- each state builds on those before it
    await attempt(run, `handler of state "${name}"`, () => runHook(() => handler(parameters, context)));
  }
}

/** Sends the request of an interaction to the provider, with a real token. Pact gets the response as the contract writes its media type. */
export async function send(
  run: InteractionRun,
  options: VerifyOptions,
  request: IncomingMessage,
): Promise<ProviderResponse> {
  const { method, url: path = '/', headers } = request;
  const body = await buffer(request);
  await attempt(run, 'header Authorization', async () => {
    if (headers.authorization === `Bearer ${exampleTokens.valid}`)
      headers.authorization = `Bearer ${await tokenOf('token', options)}`;
    if (headers.authorization === `Bearer ${exampleTokens.withoutScope}`)
      headers.authorization = `Bearer ${await tokenOf('tokenWithoutScope', options)}`;
  });
  await attempt(run, 'provider', async () => {
    run.response = await forwardRequest(options.provider.url, { method, path, headers, body });
  });
  if (!run.response) return { status: 503, headers: {}, body: Buffer.from('') };
  const type = headerOf(run.interaction.response, 'content-type');
  return type === undefined
    ? run.response
    : { ...run.response, headers: { ...run.response.headers, 'content-type': type } };
}

async function tokenOf(option: 'token' | 'tokenWithoutScope', options: VerifyOptions): Promise<string> {
  const source = options[option];
  if (!source) throw new Error(`the pact needs a token. Set the option "${option}".`);
  const token: unknown = await runHook(source);
  if (typeof token === 'string' && token !== '') return token;
  throw new Error(`the option "${option}" gave no token.`);
}

/** Does a step of an interaction unless one before it has failed. */
async function attempt(run: InteractionRun, place: string, step: () => void | Promise<void>): Promise<void> {
  if (run.faults.length > 0) return;
  try {
    await step();
  } catch (error) {
    run.errors.push(error);
    run.faults.push({ place, message: error instanceof Error ? error.message : String(error) });
  }
}
