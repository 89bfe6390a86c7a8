import { problemType } from '@hr/schemas';
import ky from 'ky';
import { attemptsOf } from './attempts.ts';
import type { Call } from './call.ts';
import type { CheckedRequest } from './checked-request.ts';
import type { HrClientSettings } from './hr-client-options.ts';
import { isHrError } from './hr-error.ts';
import type { HrError } from './hr-error.ts';

/** Statuses that say "not now". */
const transientStatuses = new Set([408, 429, 500, 502, 503, 504]);
const keyInFlight = problemType('idempotency-key-in-flight');
const FIRST_DELAY_MS = 300;

/**
 * Sends a request until it is answered with success, as the rules for retries allow. The body of the answer is still to
 * be read.
 *
 * ky keeps the rhythm of the retries and nothing else: it knows neither token nor body nor any answer but success, so
 * there is nothing that an error of its own could show.
 */
export async function send(settings: HrClientSettings, request: CheckedRequest, call: Call): Promise<Response> {
  const { limit, maxDelay } = settings.retry;
  let wait = 0;
  const response = await ky(request.url, {
    method: request.method,
    signal: call.signal,
    fetch: attemptsOf(settings, request, call),
    timeout: false,
    retry: {
      limit,
      methods: ['get', 'patch', 'post'],
      shouldRetry({ error, retryCount }) {
        if (!isHrError(error) || !mayRetry(settings, request, error)) return false;
        wait = Math.min(maxDelay, call.retryAfter ?? Math.random() * FIRST_DELAY_MS * 2 ** (retryCount - 1));
        // A wait that outlasts the deadline ends now, and with the reason for it.
        if (wait >= call.deadline.remaining) return false;
        call.retrying(error.code);
        return true;
      },
      delay: () => wait,
    },
  });
  call.conclude('accepted');
  return response;
}

/**
 * A patch replaces whole properties, so sending it twice is sending it once; a payment is another one each time, unless
 * its key makes it the same.
 */
function mayRetry(settings: HrClientSettings, request: CheckedRequest, error: HrError): boolean {
  const isRepeatable =
    request.method !== 'POST' ||
    (settings.idempotency === 'provider-supports' && request.headers['idempotency-key'] !== undefined);
  if (!isRepeatable) return error.code === 'network' && error.outcome === 'not-sent';
  return error.code === 'network' || transientStatuses.has(error.status ?? 0) || error.problem?.type === keyInFlight;
}
