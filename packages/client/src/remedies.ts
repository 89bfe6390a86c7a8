import { endpoints, type OperationId } from '@hr/schemas/checks';
import type { KnownErrorCode } from './hr-error.ts';
import type { HrProblem } from './hr-problem.ts';
import type { Outcome } from './outcome.ts';

/** What to do about an error, by its code. */
export const remedies: Record<KnownErrorCode, string> = {
  'invalid-option': '',
  'insecure-url': '',
  'invalid-request': 'Correct the request.',
  'token-unavailable': 'Check the client id, its secret and the token endpoint.',
  unauthorized: 'Ask the operator whether this client is still active, or check that auth returns a current token.',
  forbidden: 'Ask the operator for the scope of this operation.',
  'not-found': 'Check the id, and that baseUrl is the address of the service.',
  conflict: 'See problem.kind for the reason.',
  'idempotency-key-reused': 'Use a new key for each payment.',
  'rate-limited': 'Send fewer requests, or try again after retryAfterMs.',
  rejected: 'See status for the reason.',
  'server-error': 'Try again later. If it persists, give the operator the request id.',
  redirected: 'Set baseUrl to the final address of the service; the client follows no redirects.',
  'untrusted-certificate': 'If baseUrl is right, trust its authority, in Node.js with NODE_EXTRA_CA_CERTS.',
  network: 'Check baseUrl and the connection.',
  'fetch-failed': 'Check the headers of the call, and baseUrl.',
  timeout: 'Increase timeout, or check that the service is reachable.',
  aborted: '',
  'invalid-response': 'Check that baseUrl is the address of the service, and that no proxy changes its responses.',
};

const effects: Record<Outcome, string> = {
  'not-sent': 'Nothing was sent.',
  rejected: 'It had no effect.',
  accepted: 'The service accepted the request: do not send it again.',
  unknown: 'It may have taken effect: check before you send it again.',
};

/** Whether to send a payment again; empty for other operations. */
export function effectOf(
  call: { readonly operation: OperationId; readonly isKeyed: boolean; readonly outcome: Outcome },
  kind: HrProblem['kind'],
): string {
  const { operation, isKeyed, outcome } = call;
  if (endpoints[operation].method !== 'POST' || kind === 'idempotency-key-in-flight') return '';
  return isKeyed && outcome === 'unknown' && kind !== 'idempotency-key-reused'
    ? 'Send it again with the same key within 24 hours, or ask the payroll administrator.'
    : effects[outcome];
}
