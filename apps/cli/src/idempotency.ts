import type { HrClientOptions } from '@hr/client';
import { Problem } from '@hr/schemas';
import { tryOperation } from './try-operation.ts';

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
