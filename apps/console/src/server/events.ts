import type { FastifyInstance } from 'fastify';
import type { Console } from './console-server.ts';
import type { LiveEvent } from './live.ts';
import { COOKIE } from './sessions.ts';

/** Shorter than the idle limits of proxies. */
const HEARTBEAT_MS = 15_000;

/** Adds the stream of server-sent events that tells the browser what changed. */
export function addEvents(app: FastifyInstance, { live, records }: Console): void {
  app.get('/bff/events', (request, reply) => {
    const { raw } = reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) raw.setHeader(name, value ?? '');
    raw.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (event: LiveEvent): void => {
      // A browser that reads nothing gets no more: it reconnects later and reads everything anew.
      if (raw.writableNeedDrain) raw.destroy();
      else raw.write(`data: ${JSON.stringify(event)}\n\n`);
    };
    send({ type: 'health', health: live.health });
    const unsubscribe = live.subscribe(send);
    const heartbeat = setInterval(() => {
      if (records.session(request.cookies[COOKIE] ?? '', false)) raw.write(':\n\n');
      else raw.destroy();
    }, HEARTBEAT_MS);
    request.raw.on('close', () => {
      unsubscribe();
      clearInterval(heartbeat);
    });
  });
}
