import type { HrClientOptions } from '@hr/client';
import { operations, Problem, wireNames, type Operation, type OperationId } from '@hr/schemas';

/** Long enough for a slow network, short enough to wait for. */
export const TIMEOUT_MS = 15_000;
/** A person, a contract and a cursor that no service has, so that no request reads or changes anyone's data. */
const MADE_UP_ID = 'hr-doctor';
/** Parameters with which an operation reads nothing: the first one that it has suffices. */
const readingNothing = { changedSince: '9999-12-31', after: MADE_UP_ID, from: '9999-12' };

/** Sends a request once. Redirects are not followed. */
export async function fetchOnce(
  baseUrl: string,
  path: string,
  signal: AbortSignal,
  init: RequestInit = {},
): Promise<Response> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  return await fetch(baseUrl.replace(/\/+$/, '') + path, { redirect: 'manual', signal: either, ...init });
}

/**
 * Sends a request that reads and changes nothing: its id or cursor does not exist, nothing is as late as its date, and its
 * body is empty.
 */
export async function tryOperation(
  baseUrl: string,
  token: string,
  id: OperationId,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { method, path, body }: Operation = operations[id];
  const names: Readonly<Record<string, string>> = id in wireNames ? wireNames[id as keyof typeof wireNames] : {};
  const [name, value] = Object.entries(readingNothing).find(([each]) => names[each] !== undefined) ?? [];
  const query = name === undefined ? '' : `?${names[name]}=${value}`;
  return await fetchOnce(baseUrl, path.replace(/\{\w+\}/, MADE_UP_ID) + query, signal, {
    method,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: '{}' }),
  });
}

/** Whether an HR Cloud recognizes a payment that is sent again. */
export type Idempotency = NonNullable<HrClientOptions['idempotency']>;

/**
 * Finds out whether the HR Cloud supports `Idempotency-Key`: then it rejects a malformed one, and otherwise it does not look
 * at it. The request submits nothing, as it has no content, and its contract does not exist.
 *
 * @returns Undefined without a response.
 */
export async function findIdempotency(
  baseUrl: string,
  token: string,
  signal: AbortSignal,
): Promise<Idempotency | undefined> {
  const headers = { 'idempotency-key': 'not a key' };
  const response = await tryOperation(baseUrl, token, 'submitVariablePayment', signal, headers).catch(() => undefined);
  if (!response) return undefined;
  const { data } = Problem.safeParse(await response.json().catch(() => undefined));
  const isRejected = data?.errors?.some(({ pointer }) => /\/idempotency-key$/i.test(pointer)) === true;
  return isRejected ? 'provider-supports' : 'unsupported';
}
