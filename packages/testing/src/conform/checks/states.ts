import { fileURLToPath } from 'node:url';
import { behaviourCases } from '../../behaviour/behaviour-cases.ts';
import {
  differencesOf,
  type BehaviourCase,
  type CaseRequest,
  type CaseResponse,
} from '../../behaviour/behaviour-case.ts';
import { partsOf, sendCaseRequest } from '../../behaviour/send-request.ts';
import { bodyOf, isForm, mediaTypeOf, type Interaction } from '../../contract/pact.ts';
import { readPacts } from '../../contract/read-pacts.ts';
import { HrTestingError } from '../../hr-testing-error.ts';
import { table } from '../../model/lists.ts';
import { findEndpoint } from '../../provider/drift/endpoint.ts';
import { VerificationFailedError, type VerificationResult } from '../../provider/verification-result.ts';
import { verifyProvider } from '../../provider/verify-provider.ts';
import type { ProviderState } from '../../states/provider-states.ts';
import type { Check } from '../check.ts';
import type { ConformRun } from '../conform-run.ts';
import { NotTried, type Deviation } from '../deviation.ts';

const MAX_RESPONSE_MS = 30_000;
const MAX_DIFFERENCES = 10;
const MAX_SHOWN = 1000;

/** The contracts of the consumers of this workspace. The build copies them here. */
const contractsFolder = fileURLToPath(new URL('../../../contracts/', import.meta.url));

/**
 * Removes everything from the HR cloud, and sets up states.
 *
 * @throws {NotTried} if it cannot.
 */
export async function setUpStates({ options }: ConformRun, states: readonly ProviderState[]): Promise<void> {
  const { states: handlers = {}, reset } = options;
  await attempt('the reset of the provider states', () => reset?.({ states }));
  for (const [index, [name, parameters = {}]] of states.entries()) {
    const handler = handlers[name] as ((parameters: object, context: object) => void | Promise<void>) | undefined;
    if (!handler) throw new NotTried(`the provider state "${name}" has no handler`);
    // oxlint-disable-next-line no-await-in-loop -- each state builds on those before it
    await attempt(`the provider state "${name}"`, () => handler(parameters, { states: states.slice(0, index + 1) }));
  }
}

async function attempt(what: string, act: () => void | Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw new NotTried(`${what} fails: ${(error as Error).message}`);
  }
}

/** A check for each case. */
export const behaviourChecks: readonly Check[] = behaviourCases.map((behaviour) => {
  const { section, severity, title } = behaviour;
  return { id: idOf(title), section, level: 3, severity, rule: title, run: (run) => checkCase(run, behaviour) };
});

function idOf(title: string): string {
  return (
    title
      .toLowerCase()
      .match(/[\p{L}\d]+/gu)
      ?.join('-') ?? ''
  );
}

async function checkCase(run: ConformRun, { given, requests, expected, severity }: BehaviourCase) {
  await setUpStates(run, given);
  let response: CaseResponse | undefined;
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (const request of requests) response = await send(run, request);
  await run.options.tearDown?.({ states: given });
  if (!response)
    return [{ place: 'response', expected: 'a complete response', got: 'none', request: shown(run, given, requests) }];
  const found = { ...response, headers: withoutCharset(response.headers) };
  return (Object.keys(expected) as (keyof CaseResponse)[])
    .flatMap((part) => differencesOf(expected[part], found[part], severity === 'should', part))
    .slice(0, MAX_DIFFERENCES)
    .map((difference): Deviation => ({ ...difference, request: shown(run, given, requests) }));
}

/** Sends a request; `undefined` without a complete response. */
async function send({ cloud, options }: ConformRun, request: CaseRequest): Promise<CaseResponse | undefined> {
  const { baseUrl: url, signal, tokenWithoutScope } = options;
  const { method, address, token = 'valid' } = partsOf(request);
  const sendOnce = (): Promise<CaseResponse | undefined> => {
    const limit = AbortSignal.timeout(MAX_RESPONSE_MS);
    const target = {
      url,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      token: () => cloud.token(),
      tokenWithoutScope: () =>
        tokenWithoutScope?.() ?? Promise.reject(new NotTried('it needs a token without the scope api:use')),
    };
    return sendCaseRequest(target, request).catch((error: unknown) => {
      signal?.throwIfAborted();
      if (error instanceof NotTried) throw error;
      return undefined;
    });
  };
  let response = await sendOnce();
  if (token === 'valid' && response?.status === 401) {
    // It has expired.
    cloud.renewToken();
    response = await sendOnce();
  }
  const endpoint = findEndpoint(method, address.replace(/\?.*/s, ''));
  if (typeof endpoint !== 'string') cloud.count(endpoint.name, response?.status ?? 0);
  return response;
}

function withoutCharset({ 'content-type': type = '', ...others }: CaseResponse['headers']): CaseResponse['headers'] {
  return { ...others, 'content-type': mediaTypeOf(type) };
}

/** The last request as a curl command, with what came before it. */
function shown({ cloud }: ConformRun, given: readonly ProviderState[], requests: BehaviourCase['requests']): string {
  const { method, address: path, body, headers = {}, token } = partsOf(requests.at(-1) ?? '');
  const sent = Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined);
  const isPrivate = body instanceof Uint8Array || (typeof body === 'string' && body.length > MAX_SHOWN);
  const request = { operation: '', method, path, body, isPrivate, headers: Object.fromEntries(sent) };
  const before = requests.slice(0, -1).map((each) => (typeof each === 'string' ? each : each[0]));
  return [
    cloud.curl({ ...request, ...(token === 'none' && { token: null }) }),
    given.length > 0 ? `  # given ${JSON.stringify(given)}` : '',
    before.length > 0 ? `  # after ${before.join(', ')}` : '',
  ].join('');
}

/** A check for each contract, section and severity. The contracts are those of the consumers of this workspace. */
export async function contractChecks(): Promise<readonly Check[]> {
  const all = (await readPacts([contractsFolder])).flatMap(({ consumer, interactions }) =>
    interactions.map((interaction) => ({ consumer, interaction, ...ruleOf(interaction) })),
  );
  const keyOf = ({ consumer, section, severity }: (typeof all)[number]) =>
    `contract-${consumer}-${section}-${severity}`;
  return [...Map.groupBy(all, keyOf)].map(([id, own]): Check => {
    const [{ consumer, section, severity }] = own as [(typeof all)[number]];
    const run: Check['run'] = async (context) => {
      const { interactions } = await context.once('contracts', () => verifyContracts(context));
      // The verification has the interactions in the same order.
      return own
        .flatMap((each) => {
          const { description, faults = [] } = interactions[all.indexOf(each)] ?? {};
          const { method, path, query = {} } = each.interaction.request;
          const lists = Object.fromEntries(Object.entries(query).map(([name, [value = '']]) => [name, value]));
          const body = bodyOf(each.interaction.request, each.interaction);
          const isPrivate = isForm(each.interaction.request);
          const request = context.cloud.curl({ operation: '', method, path, query: lists, body, isPrivate });
          return faults.map(({ place, message }): Deviation => {
            const [, expected = message, got = 'a fault'] = /^expected (.*), got (.*?)\.?$/s.exec(message) ?? [];
            return { place: `${description}: ${place}`, expected, got, request };
          });
        })
        .slice(0, MAX_DIFFERENCES);
    };
    const rule = `Responses are as the contract of ${consumer} requires.`;
    return { id, section, severity, level: 3, rule, run };
  });
}

function ruleOf({ request, response: { status } }: Interaction): Pick<Check, 'section' | 'severity'> {
  const endpoint = findEndpoint(request.method, request.path);
  const name = typeof endpoint === 'string' ? '' : endpoint.name;
  const { section = '5', extension } = table[name] ?? {};
  const isError = status >= 400;
  return { section: isError && section !== '5' ? '7' : section, severity: isError || extension ? 'should' : 'must' };
}

async function verifyContracts({ cloud, options }: ConformRun): Promise<VerificationResult> {
  const { baseUrl, states = {}, reset, tearDown, approvePayments, tokenWithoutScope } = options;
  try {
    return await verifyProvider({
      provider: { url: baseUrl },
      source: { pacts: [contractsFolder] },
      states,
      ...(reset && { reset }),
      ...(tearDown && { tearDown }),
      ...(approvePayments && { approvePayments }),
      ...(tokenWithoutScope && { tokenWithoutScope }),
      token: () => cloud.token(),
    });
  } catch (error) {
    if (error instanceof VerificationFailedError) return error.result;
    if (error instanceof HrTestingError) throw new NotTried(error.message);
    throw error;
  }
}
