import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Console } from './console.ts';
import { draftsOf } from './draft-routes.ts';
import { HEARTBEAT_MS, type LiveEvent } from './live-event.ts';
import { Problem } from './problem.ts';
import { EVENTS_PATH } from './sessions.ts';

/** Streams of one session. A browser has one, and for a moment the one before. */
const MAX_STREAMS = 10;

interface Stream {
  readonly response: ServerResponse;
  readonly token: string;
}

/** Adds the stream of server-sent events that tells the browser what changed. */
export function addEvents(app: FastifyInstance, context: Console): void {
  const { live, sessions } = context;
  const streams = new Set<Stream>();

  function send({ response }: Stream, event: LiveEvent): void {
    // A browser that reads nothing gets no more: it reconnects later and reads everything anew.
    if (response.writableNeedDrain) response.destroy();
    else response.write(`data: ${JSON.stringify(event)}\n\n`);
  }
  /** Ends the streams of sessions that have ended. */
  function checkSessions(): void {
    for (const stream of streams) void checkSession(stream);
  }
  async function checkSession(stream: Stream): Promise<void> {
    // A session that cannot be read, such as from a full disk, is checked again when the browser reconnects.
    const user = await sessions.user(stream.token, false).catch(() => undefined);
    if (user === undefined) stream.response.destroy();
    else send(stream, { type: 'health', health: live.health });
  }
  const heartbeat = setInterval(checkSessions, HEARTBEAT_MS);
  app.addHook('preClose', async () => {
    clearInterval(heartbeat);
    for (const { response } of streams) response.destroy();
  });
  app.addHook('onResponse', async ({ method, routeOptions }) => {
    if (routeOptions.url === '/bff/session' && method !== 'GET') checkSessions();
  });

  app.get(EVENTS_PATH, (request, reply) => {
    const { user, sessionToken: token } = request;
    if ([...streams].filter((stream) => stream.token === token).length >= MAX_STREAMS) {
      throw new Problem('too-many-requests', `A session has at most ${MAX_STREAMS} streams of events.`);
    }
    const { raw } = reply.hijack();
    const stream = { response: raw, token };
    for (const [name, value] of Object.entries(reply.getHeaders())) raw.setHeader(name, value ?? '');
    raw.writeHead(200, { 'content-type': 'text/event-stream' });
    send(stream, { type: 'health', health: live.health });
    send(stream, { type: 'drafts', user: user.id, drafts: draftsOf(context, user) });
    const unsubscribe = live.subscribe((event) => {
      if (event.type !== 'drafts' || event.user === user.id) send(stream, event);
    });
    streams.add(stream);
    raw.on('close', () => {
      unsubscribe();
      streams.delete(stream);
    });
  });
}
