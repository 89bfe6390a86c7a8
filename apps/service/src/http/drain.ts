import { setTimeout } from 'node:timers/promises';
import { problems } from '@hr/schemas/provider';
import type { FastifyInstance } from 'fastify';

const MAX_DRAIN_MS = 10_000;

/** Another process can take the request at once. */
const stopping = { retryAfterSeconds: 1, headers: { connection: 'close' } };

/** Lets the requests in flight end, for a while, before the server closes. Meanwhile new ones get 503. */
export function addDrain(server: FastifyInstance): void {
  const idle = Promise.withResolvers<void>();
  let draining = false;
  let inFlight = 0;
  server.addHook('onRequest', async (_request, reply) => {
    if (draining) throw problems.unavailable('The service is stopping.', stopping);
    inFlight++;
    reply.raw.once('close', () => {
      inFlight--;
      if (draining && inFlight === 0) idle.resolve();
    });
  });
  server.addHook('preClose', async () => {
    draining = true;
    if (inFlight > 0) await Promise.race([idle.promise, setTimeout(MAX_DRAIN_MS, undefined, { ref: false })]);
  });
}
