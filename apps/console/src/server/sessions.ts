import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Console } from './console-server.ts';
import { parseInput, Problem } from './problem.ts';
import type { Role, User } from './records.ts';
import type { SyncHealth } from './live.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The role that a request needs; `anybody` needs no session. Otherwise every person who is signed in may send it. */
    role?: Role | 'anybody';
  }
  interface FastifyRequest {
    /** The person who is signed in. */
    user: User;
  }
}

/** What the browser asks first. */
export interface Session {
  readonly user: User;
  readonly environment: string;
  /** Address of the service, for texts to copy. */
  readonly baseUrl: string;
  readonly clientId: string;
  readonly health: SyncHealth;
}

/** The prefix makes browsers refuse a cookie of another host or path, and one without `Secure`. */
export const COOKIE = '__Host-hr-console';
const cookieOptions = { path: '/', httpOnly: true, secure: true, sameSite: 'strict' } as const;
const SIGN_INS_A_MINUTE = 10;
/** A request that no person made, such as after a change of somebody else. It does not prolong a session. */
const BACKGROUND_HEADER = 'x-hr-background';

const SignIn = z.strictObject({ code: z.string().max(100) });

/** Adds sessions: each handler below `/bff/` needs one, and the role of its route. */
export function addSessions(app: FastifyInstance, context: Console): void {
  const { records } = context;
  app.decorateRequest('user');
  app.addHook('onRequest', async (request) => {
    const { role } = request.routeOptions.config;
    if (!request.url.startsWith('/bff/') || role === 'anybody') return;
    const isActive = request.headers[BACKGROUND_HEADER] === undefined && request.routeOptions.url !== '/bff/events';
    const user = records.session(request.cookies[COOKIE] ?? '', isActive);
    if (user === undefined) throw new Problem('signed-out', 'Sign in with a new link.');
    if (role !== undefined && !user.roles.includes(role)) {
      throw new Problem('forbidden', `This needs the role ${role}.`);
    }
    request.user = user;
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
  app.delete('/bff/session', async (request, reply) => {
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
  return { user, environment, baseUrl, clientId: cloud.clientId, health: live.health };
}
