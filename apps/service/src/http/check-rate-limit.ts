import type { FastifyReply, FastifyRequest } from 'fastify';
import { countRequest, WINDOW_SECONDS } from '../database/rate-limit.ts';
import { commandLine } from './authentication.ts';
import { HttpProblem } from './http-problem.ts';
import { rateLimitFields } from './rate-limit-fields.ts';
import type { ServiceContext } from './service-context.ts';

/** Refuses a client that sends more requests than it may, and tells each how many are left. */
export async function checkRateLimit(
  { grant }: FastifyRequest,
  reply: FastifyReply,
  { database, config: { rateLimit } }: ServiceContext,
): Promise<void> {
  if (!grant || grant === commandLine || rateLimit === undefined) return;
  const { requests, secondsLeft } = await countRequest(database, grant.clientId, rateLimit);
  const remaining = Math.max(0, rateLimit - requests);
  reply.headers(
    rateLimitFields({ name: 'client', quota: rateLimit, window: WINDOW_SECONDS, remaining, reset: secondsLeft }),
  );
  if (requests <= rateLimit) return;
  throw new HttpProblem(
    'too-many-requests',
    `A client may send ${rateLimit} requests in ${WINDOW_SECONDS} seconds. Ask again in ${secondsLeft}.`,
    { headers: { 'retry-after': String(secondsLeft) } },
  );
}
