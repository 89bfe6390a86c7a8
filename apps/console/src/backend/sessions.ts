import type { OperationId } from '@hr/schemas';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { operationPaths, type OperationPath } from './operation-paths.ts';
import type { Console } from './console.ts';
import { parseInput, Problem } from './problem.ts';
import { hash, type Role, type User } from './records.ts';
import type { SyncHealth } from './live-event.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The role that a request needs. Every person who is signed in is a `viewer`, and `anybody` needs no session. A route
     * that changes something has to name one.
     */
    role?: Role | 'anybody';
  }
  interface FastifyRequest {
    /** The person who is signed in. */
    user: User;
    /** Differs from that of each other session, and does not give access to it. */
    sessionId: string | undefined;
  }
}

/** What the browser asks first. */
export interface Session {
  readonly user: User;
  readonly environment: string;
  /** Address of the service, for texts to copy. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly operations: Readonly<Record<OperationId, OperationPath>>;
  readonly health: SyncHealth;
}

/** The prefix makes browsers refuse a cookie of another host or path, and one without `Secure`. */
export const COOKIE = '__Host-hr-console';
const cookieOptions = { path: '/', httpOnly: true, secure: true, sameSite: 'strict' } as const;
/** The stream of events. */
export const EVENTS_PATH = '/bff/events';
/** Codes cannot be guessed, so this only limits the work that a guesser causes. */
const SIGN_INS_A_MINUTE = 60;
/** A request that no person made, such as after a change of somebody else. It does not prolong a session. */
const BACKGROUND_HEADER = 'x-hr-background';

const SignIn = z.strictObject({ code: z.string().max(100) });

/** Adds sessions: each handler below `/bff/` needs one, and the role of its route. */
export function addSessions(app: FastifyInstance, context: Console): void {
  const { records } = context;
  app.decorateRequest('user');
  app.decorateRequest('sessionId');
  app.addHook('onRoute', ({ method, url, config }) => {
    const isRead = [method].flat().every((name) => name === 'GET' || name === 'HEAD');
    if (!isRead && config?.role === undefined) throw new Error(`${String(method)} ${url} needs a role.`);
  });
  app.addHook('onRequest', async (request) => {
    const { config, url } = request.routeOptions;
    const role = config.role ?? 'viewer';
    // The route counts, as a path has many spellings, such as `/%62ff/`.
    if (!url?.startsWith('/bff/') || role === 'anybody') return;
    const isActive = request.headers[BACKGROUND_HEADER] === undefined && url !== EVENTS_PATH;
    const user = records.session(request.cookies[COOKIE] ?? '', isActive);
    if (user === undefined) throw new Problem('signed-out', 'Sign in with a new link.');
    if (role !== 'viewer' && !user.roles.includes(role)) {
      throw new Problem('forbidden', `This needs the role ${role}.`);
    }
    request.user = user;
    request.sessionId = hash(request.cookies[COOKIE] ?? '');
  });

  app.get('/bff/session', ({ user }) => sessionOf(context, user));
  app.post(
    '/bff/session',
    { config: { role: 'anybody', rateLimit: { max: SIGN_INS_A_MINUTE } } },
    async (request, reply) => {
      const { code } = parseInput(SignIn, request.body);
      const session = records.signIn(code);
      if (session === undefined) throw new Problem('signed-out', 'The link was used or has expired.');
      endSession(context, request.cookies[COOKIE], reply);
      reply.setCookie(COOKIE, session.token, cookieOptions);
      return sessionOf(context, session.user);
    },
  );
  app.delete('/bff/session', { config: { role: 'viewer' } }, async (request, reply) => {
    endSession(context, request.cookies[COOKIE], reply);
    return reply.code(204).send();
  });
}

function endSession({ records }: Console, token: string | undefined, reply: FastifyReply): void {
  if (token !== undefined) records.signOut(token);
  reply.clearCookie(COOKIE, cookieOptions);
}

function sessionOf({ config, cloud, live }: Console, user: User): Session {
  const { environment, baseUrl } = config;
  return { user, environment, baseUrl, clientId: cloud.clientId, operations: operationPaths, health: live.health };
}
