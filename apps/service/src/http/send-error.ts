import { HttpError, HttpProblem, invalidToken, problems } from '@hr/schemas/provider';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  ChangesExpiredError,
  DatabaseBusyError,
  DatabaseRefusedError,
  DatabaseUnavailableError,
} from '../database/database-errors.ts';
import { closeUnread } from './close-unread.ts';
import { AccessEndedError } from './authentication.ts';

/** A fault of which there is more to say. The response is that of its cause, with the message and the members added. */
export class ExplainedError extends Error {
  override readonly name: string = 'ExplainedError';
  readonly members: Readonly<Record<string, unknown>>;

  constructor(message: string, cause: unknown, members: Readonly<Record<string, unknown>>) {
    super(message, { cause });
    this.members = members;
  }
}

/** Sends the response of an error, and keeps the error for the log. */
export function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = httpErrorOf(thrown);
  request.fault = error.status < 500 ? error : thrown;
  // Proxies may ask for the whole address (RFC 9112 section 3.2.2).
  const [, instance] = /^(?:https?:\/\/[^/?]*)?([^?]*)/i.exec(request.url) ?? [];
  const body = error.body({ ...(instance && { instance }), requestId: request.id });
  reply
    .code(error.status)
    // Fastify closes the connection when it leaves a body unread, however short.
    .removeHeader('connection')
    .headers(withLimits(reply, error.headers))
    .type(error.contentType);
  closeUnread(request, reply);
  // As bytes: Fastify adds a charset to text, and JSON has none.
  return reply.send(Buffer.from(JSON.stringify(body)));
}

/** The headers of an error. Its rate limit stands beside the one that the reply has already. */
function withLimits(reply: FastifyReply, headers: HttpError['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const limit = name.startsWith('ratelimit') && reply.getHeader(name);
      return [name, limit ? `${String(limit)}, ${value}` : value];
    }),
  );
}

const BUSY_RETRY_SECONDS = 1;
const REPEAT_OR_LOOK = 'Send it again with the same Idempotency-Key, or look what is stored first.';

/** The response to an error. Nothing of an unexpected one gets out. */
function httpErrorOf(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof AccessEndedError) return invalidToken();
  if (error instanceof ChangesExpiredError) return problems.changesExpired(error.keptSince);
  if (error instanceof DatabaseBusyError) {
    const limit = { name: 'lists', quota: error.mostLists, remaining: 0, reset: BUSY_RETRY_SECONDS };
    return problems.tooManyRequests(limit, `${error.message} Ask again in a moment.`);
  }
  if (error instanceof DatabaseUnavailableError) {
    const { headers, message } = problems.unavailable(error.message);
    if (error.mayBeStored) return new HttpProblem('unavailable', `${error.message} ${REPEAT_OR_LOOK}`, { headers });
    // The same request would fail again, so nothing invites to repeat it.
    if (!error.mayPass) return new HttpProblem('unavailable', error.message);
    return new HttpProblem('unavailable', message, { headers });
  }
  // Such as a database that was dropped, or a password that was changed.
  if (error instanceof DatabaseRefusedError) return problems.unavailable();
  if (error instanceof ExplainedError) {
    const { code, message: reason, headers, members } = httpErrorOf(error.cause) as HttpProblem;
    const more = { headers, members: { ...members, ...error.members } };
    return new HttpProblem(code, `${reason} ${error.message}`, more);
  }
  // Only Fastify gives its errors a status.
  const status = error instanceof Error && 'statusCode' in error && error.statusCode;
  if (status === 400) return problems.malformedRequest();
  if (status === 413) return problems.contentTooLarge();
  return status === 415 ? problems.unsupportedMediaType() : problems.internalError();
}
