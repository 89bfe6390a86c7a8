import { problems, rateLimitHeaders } from '@hr/schemas/provider';
import type { FastifyReply } from 'fastify';
import { countRequest, WINDOW_SECONDS } from '../clients/rate-limit.ts';
import type { ServiceContext } from './service-context.ts';

interface Counter {
  /** Requests of each name are counted apart. */
  readonly name: 'client' | 'oauth';
  readonly clientId: string;
}

/**
 * Counts a request against the rate limit of its client; the response has what is left of it.
 *
 * @throws {HttpProblem} `too-many-requests`.
 */
export async function checkRateLimit(
  { name, clientId }: Counter,
  reply: FastifyReply,
  { database, config: { rateLimit: quota } }: ServiceContext,
): Promise<void> {
  if (quota === undefined) return;
  const { requests, secondsLeft } = await countRequest(database, `${name} ${clientId}`, quota);
  const remaining = Math.max(0, quota - requests);
  const limit = { name, quota, window: WINDOW_SECONDS, remaining, reset: secondsLeft };
  if (requests > quota) throw problems.tooManyRequests(limit);
  reply.headers(rateLimitHeaders(limit));
}
