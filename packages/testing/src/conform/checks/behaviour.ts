import {
  differencesOf,
  onlyNamed,
  valuesIn,
  type BehaviourCase,
  type CaseRequest,
} from '../../behaviour/behaviour-case.ts';
import { behaviourCases } from '../../behaviour/behaviour-cases.ts';
import { caseResponse, CURSOR, cursorIn, partsOf } from '../../behaviour/send-request.ts';
import { exampleTokens } from '../../contract/example-tokens.ts';
import { mediaTypeOf } from '../../contract/pact.ts';
import { table } from '../../model/lists.ts';
import type { ProviderState } from '../../states/provider-states.ts';
import { must, NotTried, should, type Check, type Deviation } from '../check.ts';
import type { Exchange } from '../cloud.ts';
import { operationOf, type CloudRequest } from '../cloud-request.ts';
import type { ConformRun } from '../conform-run.ts';

const MAX_DIFFERENCES = 10;
const MAX_SHOWN = 1000;

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

/** A check for each case (sections 4, 5 and 7). */
export const behaviourChecks: readonly Check[] = behaviourCases.map((behaviour) => {
  const { section, severity, title } = behaviour;
  const id = title.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  return (severity === 'must' ? must : should)(section, id.join('-'), title, (run) => checkCase(run, behaviour));
});

async function checkCase(run: ConformRun, { given, requests, expected, severity }: BehaviourCase) {
  await setUpStates(run, given);
  // A case of a rate limit or of an outage expects what other requests wait for.
  const isSingle = expected.status === 429 || expected.status === 503;
  let exchange: Exchange | undefined;
  let cursor: string | undefined;
  for (const request of requests) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    exchange = await run.cloud.send({ ...(await requestOf(run, request, cursor)), isSingle });
    cursor = cursorIn(exchange) ?? cursor;
  }
  await run.options.tearDown?.({ states: given });
  if (exchange) checkExtension(exchange, expected);
  const before = requests.slice(0, -1).map((each) => (typeof each === 'string' ? each : each[0]));
  const request = [
    exchange ? run.cloud.curl(exchange.request) : '',
    given.length > 0 ? `  # given ${JSON.stringify(given)}` : '',
    before.length > 0 ? `  # after ${before.join(', ')}` : '',
  ].join('');
  if (!exchange?.status) return [{ place: 'response', expected: 'a complete response', got: 'none', request }];
  const { headers, ...others } = caseResponse(exchange);
  const { 'content-type': type = '' } = headers;
  const found = { ...others, headers: { ...headers, 'content-type': mediaTypeOf(type) } };
  const isStrict = severity === 'should';
  const wanted = {
    ...expected,
    ...(!isStrict && { body: onlyNamed(expected.body, new Set(valuesIn([given, requests]))) }),
  };
  return (Object.keys(expected) as (keyof typeof expected)[])
    .flatMap((part) => differencesOf(wanted[part], found[part], isStrict, part))
    .slice(0, MAX_DIFFERENCES)
    .map((difference): Deviation => ({ ...difference, request }));
}

/** @throws {NotTried} without the extension of the specification that a case is about. */
function checkExtension({ request, status, headers }: Exchange, expected: BehaviourCase['expected']): void {
  if (table[request.operation]?.extension && [404, 405].includes(status) && expected.status !== status)
    throw new NotTried(`the HR cloud does not have it: status ${status}`);
  if (expected.headers && 'hr-cursor' in expected.headers && !headers.has('hr-cursor')) throw withoutCursors();
}

function withoutCursors(): NotTried {
  return new NotTried('the HR cloud has no cursors: its lists lack the header HR-Cursor');
}

async function requestOf(run: ConformRun, request: CaseRequest, cursor: string | undefined): Promise<CloudRequest> {
  if (cursor === undefined && partsOf(request).address.includes(CURSOR)) throw withoutCursors();
  const { method, address, body, headers = {}, token = 'valid' } = partsOf(request, cursor);
  const [path = '', query] = address.split('?');
  const operation = operationOf(method, path);
  const renamed = query?.replaceAll(/(?<=^|&)[^=&]+/g, (name) => run.wireName(operation, name));
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  return {
    operation,
    method,
    path: renamed === undefined ? path : `${path}?${renamed}`,
    headers,
    ...(token === 'none' && { token: null }),
    ...(token === 'rejected' && { token: exampleTokens.rejected }),
    ...(token === 'without-scope' && { token: await withoutScope(run.options) }),
    ...(isRaw ? { content: body as string | Uint8Array<ArrayBuffer>, isPrivate: body.length > MAX_SHOWN } : { body }),
  };
}

async function withoutScope({ tokenWithoutScope }: ConformRun['options']) {
  if (!tokenWithoutScope) throw new NotTried('it needs a token without the scope api:use');
  return { value: await tokenWithoutScope(), from: 'a token without the scope api:use' };
}
