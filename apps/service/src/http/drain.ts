import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { unavailable } from './problem-of.ts';

const LONGEST_DRAIN_MS = 10_000;

/** Lets running requests end, for a while, before the server closes; new ones are sent away meanwhile. */
export function addDrain(server: FastifyInstance): void {
  const idle = Promise.withResolvers<void>();
  let draining = false;
  let running = 0;
  server.addHook('onRequest', async (_request, reply) => {
    if (draining) throw unavailable('The service is stopping.', { connection: 'close' });
    running++;
    reply.raw.once('close', () => {
      running--;
      if (draining && running === 0) idle.resolve();
    });
  });
  server.addHook('preClose', async () => {
    draining = true;
    if (running > 0) await Promise.race([idle.promise, setTimeout(LONGEST_DRAIN_MS, undefined, { ref: false })]);
  });
}
