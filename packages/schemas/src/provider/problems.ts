import type { Issue } from '../issues.ts';
import { HttpProblem } from './http-error.ts';
import { rateLimitHeaders, type RateLimit } from './rate-limit.ts';
import { MAX_WEBHOOK_ENDPOINTS } from './webhook-message.ts';

const MAX_ISSUES_SHOWN = 50;
const UNAVAILABLE_RETRY_SECONDS = 5;

const cursorReasons = {
  history: 'Changes are no longer kept since this cursor.',
  grants: 'What this client may see has changed since this cursor.',
  database: 'The database was restored, and may lack changes that came before this cursor.',
} as const;

/**
 * The problems of the API, with the same texts in every provider.
 *
 * @example
 * throw problems.unknownId('person'); // 404: There is no person with this id.
 */
export const problems = {
  /** 400: the inputs have these issues. */
  invalidRequest(issues: readonly Issue[]): HttpProblem {
    const [first, ...others] = issues;
    const more = others.length > 0 ? ` And ${others.length} more, see errors.` : '';
    return new HttpProblem('invalid-request', `${first?.pointer || 'The body'} ${first?.detail}.${more}`, {
      members: { errors: issues.slice(0, MAX_ISSUES_SHOWN) },
    });
  },

  /** 400: the request cannot be read. */
  malformedRequest(): HttpProblem {
    const detail = 'The request is cut short or its address is not valid percent-encoded UTF-8.';
    return new HttpProblem('invalid-request', detail);
  },

  /** 404: the person, contract, … in the path does not exist. */
  unknownId(of: string): HttpProblem {
    return new HttpProblem('not-found', `There is no ${of} with this id.`);
  },

  /** 404: no operation has this path. */
  unknownPath(): HttpProblem {
    return new HttpProblem('not-found', 'Nothing has this address.');
  },

  /** 405: the path has only operations with these methods. */
  methodNotAllowed(methods: readonly string[]): HttpProblem {
    const allow = methods.join(', ');
    return new HttpProblem('method-not-allowed', `Allowed here: ${allow}.`, { headers: { allow } });
  },

  /** 409: another request with the same `Idempotency-Key` is in flight. */
  keyInFlight(retryAfterSeconds = 1): HttpProblem {
    return new HttpProblem(
      'idempotency-key-in-flight',
      'A request with this Idempotency-Key has not ended yet; send it again in a moment.',
      { headers: { 'retry-after': String(retryAfterSeconds) } },
    );
  },

  /** 410: changes are kept only since a later date than `changedSince`. */
  changesExpired(keptSince: string): HttpProblem {
    const detail = `Changes are kept since ${keptSince}. Leave out changedSince to read the full list, then ask for changes again.`;
    return new HttpProblem('changes-expired', detail, { members: { keptSince } });
  },

  /** 400: the `after` of a request is no cursor of its client. */
  foreignCursor(): HttpProblem {
    return problems.invalidRequest([
      { pointer: '/after', code: 'wrong-format', detail: 'is not a cursor of this client' },
    ]);
  },

  /** 409: the client has {@link MAX_WEBHOOK_ENDPOINTS}. */
  tooManyWebhookEndpoints(): HttpProblem {
    const detail = `A client has at most ${MAX_WEBHOOK_ENDPOINTS} webhook endpoints. Remove one first.`;
    return new HttpProblem('conflict', detail);
  },

  /** 410: the service cannot say what changed after a cursor. */
  cursorExpired(reason: keyof typeof cursorReasons): HttpProblem {
    const detail = `${cursorReasons[reason]} Leave out after to read everything, then go on with the cursor of that response.`;
    return new HttpProblem('cursor-expired', detail, { members: { reason } });
  },

  /** 412: the request has a precondition that cannot hold. */
  preconditionFailed(): HttpProblem {
    const detail = 'Nothing has an entity tag: leave out If-Match and If-None-Match.';
    return new HttpProblem('precondition-failed', detail);
  },

  /** 413: the body is longer than {@link MAX_BODY_BYTES} or {@link MAX_FORM_BYTES}. */
  contentTooLarge(): HttpProblem {
    return new HttpProblem('content-too-large', 'Send a shorter body: 1 MiB at most, 16 KiB below /api/oauth2.');
  },

  /** 415: the body is not JSON in UTF-8, or it is compressed. */
  unsupportedMediaType(): HttpProblem {
    return new HttpProblem('unsupported-media-type', 'Send the body as application/json in UTF-8, not compressed.');
  },

  /** 422: the `Idempotency-Key` belongs to another payment. */
  keyReused(): HttpProblem {
    return new HttpProblem(
      'idempotency-key-reused',
      'The Idempotency-Key has made another payment; send the request it was made for, or another key.',
    );
  },

  /** 429: a limit is used up. */
  tooManyRequests(limit: RateLimit, detail?: string): HttpProblem {
    const { quota, window, reset } = limit;
    const sentence = detail ?? `A client may send ${quota} requests in ${window} seconds. Ask again in ${reset}.`;
    const headers = { 'retry-after': String(reset), ...rateLimitHeaders(limit) };
    return new HttpProblem('too-many-requests', sentence, { headers });
  },

  /** 500: an unexpected fault. The response does not describe it. */
  internalError(): HttpProblem {
    return new HttpProblem('internal-error', 'Something failed here; tell the request id to support.');
  },

  /** 503: the same request may succeed later. */
  unavailable(
    reason = 'The database cannot be reached now.',
    { retryAfterSeconds = UNAVAILABLE_RETRY_SECONDS, headers = {} }: UnavailableOptions = {},
  ): HttpProblem {
    return new HttpProblem('unavailable', `${reason} Ask again in a moment.`, {
      headers: { 'retry-after': String(retryAfterSeconds), ...headers },
    });
  },
} as const;

/** Additional data of a 503. */
export interface UnavailableOptions {
  /** Default 5. */
  readonly retryAfterSeconds?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}
