import type { ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { problems } from '@hr/schemas/provider';
import type { FastifyInstance } from 'fastify';

const MAX_DRAIN_MS = 10_000;

/** Another process can take the request at once. */
const takenByOthers = { retryAfterSeconds: 1, headers: { connection: 'close' } };

/**
 * Lets the requests in flight end, for a while, before the server closes. Meanwhile new ones get 503. It closes the
 * connections of those that take longer.
 *
 * @returns a signal for requests that would take longer
 */
export function addDrain(server: FastifyInstance): AbortSignal {
  const idle = Promise.withResolvers<void>();
  const stopping = new AbortController();
  const inFlight = new Set<ServerResponse>();
  server.addHook('onRequest', async (_request, reply) => {
    if (stopping.signal.aborted) throw problems.unavailable('The service is stopping.', takenByOthers);
    inFlight.add(reply.raw);
    reply.raw.on('close', () => {
      inFlight.delete(reply.raw);
      if (stopping.signal.aborted && inFlight.size === 0) idle.resolve();
    });
  });
  server.addHook('preClose', async () => {
    stopping.abort();
    if (inFlight.size > 0) await Promise.race([idle.promise, setTimeout(MAX_DRAIN_MS, undefined, { ref: false })]);
    for (const response of inFlight) response.destroy();
  });
  return stopping.signal;
}
