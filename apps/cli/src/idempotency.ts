import type { HrClientOptions } from '@hr/client';
import { operations, Problem } from '@hr/schemas';

/** Whether an HR Cloud recognizes a payment that is sent again. */
export type Idempotency = NonNullable<HrClientOptions['idempotency']>;

const TIMEOUT_MS = 15_000;

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
  const { method, path } = operations.submitVariablePayment;
  const response = await fetch(baseUrl.replace(/\/+$/, '') + path.replace('{contractId}', 'hr-doctor'), {
    method,
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': 'not a key',
    },
    body: '{}',
  }).catch(() => undefined);
  if (!response) return undefined;
  const { data } = Problem.safeParse(await response.json().catch(() => undefined));
  const isRejected = data?.errors?.some(({ pointer }) => /\/idempotency-key$/i.test(pointer)) === true;
  return isRejected ? 'provider-supports' : 'unsupported';
}
