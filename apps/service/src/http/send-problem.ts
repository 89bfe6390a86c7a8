import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpProblem } from './http-problem.ts';
import { problemOf } from './problem-of.ts';

export const PROBLEM_TYPE = 'application/problem+json';

/** Headers of every answer. */
export const safetyHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** Answers whatever was thrown as a problem (RFC 9457), and leaves it for the log. */
export function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error);
  request.fault = problem.status < 500 ? problem : error;
  // Proxies may ask for the whole address (RFC 9112 section 3.2.2).
  const [, instance] = /^(?:https?:\/\/[^/?]*)?([^?]*)/i.exec(request.url) ?? [];
  const body = problem.body({ ...(instance && { instance }), requestId: request.id });
  return (
    reply
      .code(problem.status)
      // Fastify closes on a body that it leaves unread, and who still writes it would never see the answer. Node reads
      // and drops the rest, as long as a request may take.
      .removeHeader('connection')
      .headers(withLimits(reply, problem.headers))
      .type(PROBLEM_TYPE)
      // As bytes: Fastify adds a charset to text, and JSON has none.
      .send(Buffer.from(JSON.stringify(body)))
  );
}

/** The headers of a problem. The limits that it tells stand beside those that the answer tells anyway. */
function withLimits(reply: FastifyReply, headers: HttpProblem['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const told = name.startsWith('ratelimit') && reply.getHeader(name);
      return [name, told ? `${String(told)}, ${value}` : value];
    }),
  );
}
