import type { FastifyReply } from 'fastify';
import { countRequest, WINDOW_SECONDS } from '../database/rate-limit.ts';
import { HttpProblem } from './http-problem.ts';
import { rateLimitFields } from './rate-limit-fields.ts';
import type { ServiceContext } from './service-context.ts';

interface Counter {
  /** Requests of each name are counted apart. */
  readonly name: 'client' | 'oauth';
  readonly clientId: string;
}

/**
 * Refuses a client that sends more requests than it may, and tells each how many are left.
 */
export async function checkRateLimit(
  { name, clientId }: Counter,
  reply: FastifyReply,
  { database, config: { rateLimit } }: ServiceContext,
): Promise<void> {
  if (rateLimit === undefined) return;
  const { requests, secondsLeft } = await countRequest(database, `${name} ${clientId}`, rateLimit);
  const remaining = Math.max(0, rateLimit - requests);
  reply.headers(rateLimitFields({ name, quota: rateLimit, window: WINDOW_SECONDS, remaining, reset: secondsLeft }));
  if (requests <= rateLimit) return;
  throw new HttpProblem(
    'too-many-requests',
    `A client may send ${rateLimit} requests in ${WINDOW_SECONDS} seconds. Ask again in ${secondsLeft}.`,
    { headers: { 'retry-after': String(secondsLeft) } },
  );
}
