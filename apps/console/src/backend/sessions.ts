import { randomUUID } from 'node:crypto';
import type { OperationId } from '@hr/schemas';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { operationPaths, type OperationPath } from './operation-paths.ts';
import { actWith } from './acting.ts';
import type { Config } from './config.ts';
import type { Console } from './console.ts';
import { draftsOf } from './draft-routes.ts';
import type { DraftList } from './drafts.ts';
import { parseInput, Problem } from './problem.ts';
import { dataRights, rolesOf, type DataRight, type Role } from '../model/grants.ts';
import { hash, type User } from './records.ts';
import type { SyncHealth } from './live-event.ts';
import type { View } from './view.ts';

/** Who makes a request. */
export interface Asker {
  /** The person who is signed in. */
  user: User;
  /** What they may see and do. */
  view: View;
  /** Returns the view that the session has now; undefined once it has ended. Work that goes on asks before each step. */
  viewNow: () => View | undefined;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The role that a request needs. Every person who is signed in is a `viewer`, and `anybody` needs no session. A route
     * that changes something has to name one.
     */
    role?: Role | 'anybody';
    /** The words that a grant with this role needs, too, as the route has data of no single person, or only such data. */
    needs?: readonly ('everyone' | DataRight)[];
  }
  interface FastifyRequest extends Asker {
    /** Differs from that of each other session, and does not give access to it. */
    sessionId: string | undefined;
    /** The secret of the session. */
    sessionToken: string;
  }
}

/** The person who is signed in, as the browser knows them. */
interface SessionUser extends Pick<User, 'id' | 'name'> {
  /** What their grants allow, at least with some persons. */
  readonly roles: readonly Role[];
  readonly data: readonly DataRight[];
  /** Whether they see all persons. */
  readonly seesEveryone: boolean;
}

/** What the browser asks first. */
export interface Session {
  readonly user: SessionUser;
  readonly environment: string;
  /** Address of the service, for texts to copy. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly operations: Readonly<Record<OperationId, OperationPath>>;
  readonly health: SyncHealth;
  readonly drafts: DraftList;
}

/** The cookie of a session. */
export function sessionCookie(config: Pick<Config, 'origin'>) {
  return cookieOf(config, 'hr-console', 'strict');
}

/** The cookie by which a browser that the provider leads back from its site is known. */
export function loginCookie(config: Pick<Config, 'origin'>) {
  return cookieOf(config, 'hr-console-login', 'lax');
}

/**
 * The prefix `__Host-` makes browsers refuse a cookie of another host or path. It needs `Secure`, which WebKit refuses
 * without TLS, even from this computer.
 */
function cookieOf({ origin = 'http://localhost' }: Pick<Config, 'origin'>, name: string, sameSite: 'strict' | 'lax') {
  const { protocol, hostname } = new URL(origin);
  const secure = protocol === 'https:' || !/^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  return { name: `${secure ? '__Host-' : ''}${name}`, options: { path: '/', httpOnly: true, secure, sameSite } };
}

/** The end of a session. */
export interface SignedOut {
  /** Where the browser has to go to sign out at the provider, too. */
  readonly address: string | undefined;
}

/** The stream of events. */
export const EVENTS_PATH = '/bff/events';
/** Codes cannot be guessed, so this only limits the work that a guesser causes. */
const SIGN_INS_A_MINUTE = 60;
/** A request that no person made, such as after a change of somebody else. It does not prolong a session. */
const BACKGROUND_HEADER = 'x-hr-background';
/** More screens are not remembered. */
const MAX_SCREENS = 20_000;

const SignIn = z.strictObject({ code: z.string().max(100) });

/** Adds sessions: each handler below `/bff/` needs one, and the role of its route. */
export function addSessions(app: FastifyInstance, context: Console): void {
  const { records, sessions, reads, provider, config: settings } = context;
  const signIn = provider === undefined ? 'link' : 'provider';
  const cookie = sessionCookie(settings);
  app.decorateRequest('user');
  app.decorateRequest('view');
  app.decorateRequest('viewNow');
  app.decorateRequest('sessionId');
  app.decorateRequest('sessionToken', '');
  app.addHook('onRoute', ({ method, url, config }) => {
    const isRead = [method].flat().every((name) => name === 'GET' || name === 'HEAD');
    if (!isRead && config?.role === undefined) throw new Error(`${String(method)} ${url} needs a role.`);
  });
  app.addHook('onRequest', async (request) => {
    const { config, url } = request.routeOptions;
    const { role = 'viewer', needs = [] } = config;
    request.sessionToken = request.cookies[cookie.name] ?? '';
    // The route counts, as a path has many spellings, such as `/%62ff/`.
    if (!url?.startsWith('/bff/') || role === 'anybody') return;
    const isActive = request.headers[BACKGROUND_HEADER] === undefined && url !== EVENTS_PATH;
    const user = await sessions.user(request.sessionToken, isActive);
    if (user === undefined) throw new Problem('signed-out', 'Sign in.', { signIn });
    const words = [...(role === 'viewer' ? [] : [role]), ...needs];
    if (words.length > 0 && !user.grants.some((grant) => words.every((word) => grant.includes(word)))) {
      throw new Problem('forbidden', `This needs a grant with ${words.join(', ')}.`);
    }
    request.user = user;
    request.view = context.viewOf(user);
    request.viewNow = () => {
      const now = records.session(request.sessionToken, false);
      return now && context.viewOf(now);
    };
    request.sessionId = hash(request.sessionToken);
  });
  /** Screens that people have read. A page may say that no person asked for one, but only when it reads it again. */
  const screens = new Set<string>();
  const screenOf = new WeakMap<FastifyRequest, string>();
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.user === undefined) return done();
    const { method, routeOptions, params, headers, sessionId } = request;
    // The version of what the page has.
    const { since: _, ...query } = request.query as Readonly<Record<string, unknown>>;
    const screen = JSON.stringify([sessionId, routeOptions.url, params, query]);
    if (method === 'GET' && headers[BACKGROUND_HEADER] !== undefined && screens.has(screen)) return done();
    screenOf.set(request, screen);
    const [, route = ''] = routeOptions.url?.split('/bff/') ?? [];
    const purpose = `${method === 'GET' ? 'read' : 'change'} ${route}`;
    const acting = { actingPerson: request.user.id, purpose, requestId: randomUUID() };
    reads.note(request, acting);
    actWith(acting, done);
  });
  // Before the page has the response: it may read the screen again at once.
  app.addHook('onSend', async (request, reply) => {
    const screen = screenOf.get(request);
    if (screen === undefined || reply.statusCode !== 200) return;
    const [oldest = ''] = screens;
    if (screens.size >= MAX_SCREENS) screens.delete(oldest);
    screens.add(screen);
  });

  app.get('/bff/session', ({ user }) => sessionOf(context, user));
  app.post(
    '/bff/session',
    { config: { role: 'anybody', rateLimit: { max: SIGN_INS_A_MINUTE } } },
    async (request, reply) => {
      const { code } = parseInput(SignIn, request.body);
      const session = provider === undefined ? records.signIn(code) : undefined;
      if (session === undefined) throw new Problem('signed-out', 'The link was used or has expired.', { signIn });
      records.signOut(request.sessionToken);
      reply.setCookie(cookie.name, session.token, cookie.options);
      return sessionOf(context, session.user);
    },
  );
  app.delete('/bff/session', { config: { role: 'viewer' } }, async (request, reply) => {
    const address = await sessions.end(request.sessionToken);
    return reply.clearCookie(cookie.name, cookie.options).send({ address: address?.href } satisfies SignedOut);
  });
}

function sessionOf(context: Console, user: User): Session {
  const { config, cloud, live } = context;
  const { environment, baseUrl } = config;
  const { clientId } = cloud;
  const { id, name, grants } = user;
  const has = (word: string): boolean => grants.some((grant) => grant.includes(word));
  return {
    user: { id, name, roles: rolesOf(grants), data: dataRights.filter(has), seesEveryone: has('everyone') },
    environment,
    baseUrl,
    clientId,
    operations: operationPaths,
    health: live.health,
    drafts: draftsOf(context, user),
  };
}
