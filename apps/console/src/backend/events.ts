import type { ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import type { Console } from './console.ts';
import { draftsOf } from './draft-routes.ts';
import { HEARTBEAT_MS, type LiveEvent } from './live-event.ts';
import type { User } from './records.ts';
import type { View } from './view.ts';
import { Problem } from './problem.ts';
import { EVENTS_PATH } from './sessions.ts';

/** Streams of one session. A browser has one, and for a moment the one before. */
const MAX_STREAMS = 10;
/** More persons than that are not named. */
const MAX_PERSONS = 100;
const payKinds = new Set(['salaries', 'payments']);
const namedKinds = new Set(['persons', 'timeBookings']);

interface Stream {
  readonly response: ServerResponse;
  readonly token: string;
  /** What was allowed at the last event. */
  scope: unknown;
}

/** Adds the stream of server-sent events that tells the browser what changed. */
export function addEvents(app: FastifyInstance, context: Console): void {
  const { live, records, sessions, viewOf } = context;
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
    const user = await sessions.user(stream.token, false).catch(() => undefined);
    if (user === undefined) stream.response.destroy();
    else tell(stream, { type: 'health', health: live.health });
  }
  /** A session that cannot be read, such as from a full disk, is checked again when the browser reconnects. */
  function userOf({ token }: Stream): User | undefined {
    try {
      return records.session(token, false);
    } catch {
      return undefined;
    }
  }
  function tell(stream: Stream, event: LiveEvent): void {
    const user = userOf(stream);
    if (user === undefined) return void stream.response.destroy();
    const view = viewOf(user);
    // Pages show what the person may not see any more, or not what they may see now.
    if (!isDeepStrictEqual(view.scope, stream.scope)) send(stream, { type: 'changed', kinds: [], personIds: [] });
    stream.scope = view.scope;
    if (event.type === 'changed') {
      const seen = seenEvent(event, view);
      if (seen) send(stream, seen);
    } else if (event.type !== 'drafts' || event.user === user.id) send(stream, event);
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
    const { user, view, sessionToken: token } = request;
    if ([...streams].filter((stream) => stream.token === token).length >= MAX_STREAMS) {
      throw new Problem('too-many-requests', `A session has at most ${MAX_STREAMS} streams of events.`);
    }
    const { raw } = reply.hijack();
    const stream = { response: raw, token, scope: view.scope };
    for (const [name, value] of Object.entries(reply.getHeaders())) raw.setHeader(name, value ?? '');
    raw.writeHead(200, { 'content-type': 'text/event-stream' });
    send(stream, { type: 'health', health: live.health });
    send(stream, { type: 'drafts', user: user.id, drafts: draftsOf(context, user) });
    const unsubscribe = live.subscribe((event) => tell(stream, event));
    streams.add(stream);
    raw.on('close', () => {
      unsubscribe();
      streams.delete(stream);
    });
  });
}

/** Returns what somebody may know of a change; undefined if it is of nothing that exists for them. */
function seenEvent(
  { type, kinds, personIds }: LiveEvent & { readonly type: 'changed' },
  view: View,
): LiveEvent | undefined {
  const seen = personIds.filter((id) => view.may(id));
  const isOfOthers = personIds.length > 0 && seen.length === 0;
  const ofView = kinds.filter(
    (kind) => !(payKinds.has(kind) && !view.mayForSome('pay')) && !(namedKinds.has(kind) && isOfOthers),
  );
  if (kinds.length > 0 && ofView.length === 0) return undefined;
  return { type, kinds: ofView, personIds: seen.length > MAX_PERSONS ? [] : seen };
}
