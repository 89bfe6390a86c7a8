import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Console } from './console.ts';
import { BACK_CHANNEL_PATH, CALLBACK_PATH } from './identity-provider.ts';
import { BEGIN_PATH, SIGN_IN_PATH, type SignInFailure } from '../model/sign-in.ts';
import { describeError } from './log.ts';
import { parseInput, Problem } from './problem.ts';
import { randomToken } from './records.ts';
import { loginCookie, sessionCookie } from './sessions.ts';

const SIGN_INS_A_MINUTE = 60;

const Begin = z.object({ to: z.string().max(2000).default('/'), again: z.stringbool().default(false) });
const Login = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), to: z.string() });
const Callback = z.looseObject({ state: z.string().optional() });
const Logout = z.object({ logout_token: z.string() });

/** Adds the sign-in with the provider. Its addresses are not below `/bff/`, as the provider leads browsers to them. */
export function addProvider(
  app: FastifyInstance,
  { config, records, provider, sessions, origin }: Console,
  log: Logger,
): void {
  if (provider === undefined) return;
  const [cookie, way] = [sessionCookie(config), loginCookie(config)];
  const limited = { role: 'anybody', rateLimit: { max: SIGN_INS_A_MINUTE } } as const;

  app.get(BEGIN_PATH, { config: limited }, async (request, reply) => {
    const { to, again } = parseInput(Begin, request.query);
    // Twelve tabs of a browser may begin at once.
    const browser = request.cookies[way.name] ?? randomToken();
    try {
      const { address, checks } = await provider.begin(again);
      records.beginLogin(checks.state, browser, { ...checks, to: localPath(to, origin()) });
      return await reply.setCookie(way.name, browser, way.options).redirect(address.href);
    } catch (error) {
      log.warn({ error: describeError(error) }, 'The identity provider cannot be asked.');
      return failed(reply, 'unavailable');
    }
  });

  app.get(CALLBACK_PATH, { config: limited }, async (request, reply) => {
    const { state = '' } = parseInput(Callback, request.query);
    const login = Login.safeParse(records.endLogin(state, request.cookies[way.name] ?? ''));
    if (!login.success) return failed(reply, 'refused');
    try {
      const address = new URL(CALLBACK_PATH, origin());
      address.search = new URL(request.url, origin()).search;
      const token = sessions.start(await provider.end(address, login.data));
      if (token === undefined) return failed(reply, 'noRoles');
      records.signOut(request.sessionToken);
      return await reply.setCookie(cookie.name, token, cookie.options).redirect(login.data.to);
    } catch (error) {
      log.warn({ error: describeError(error) }, 'A sign-in was refused.');
      return failed(reply, 'refused');
    }
  });

  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  // All of them come from the address of the provider, also when it ends the sessions of everybody.
  app.post(BACK_CHANNEL_PATH, { config: { role: 'anybody' } }, async (request, reply) => {
    const { logout_token: token } = parseInput(Logout, request.body);
    const ended = await provider.readLogout(token).catch(() => {
      throw new Problem('invalid-input', 'The logout token is not valid.');
    });
    records.endProviderSessions(ended);
    return reply.code(204).send();
  });
}

function failed(reply: FastifyReply, why: SignInFailure): FastifyReply {
  return reply.redirect(`${SIGN_IN_PATH}?failure=${why}`);
}

/** The path of an address of the console. Any other address leads to the first screen. */
function localPath(text: string, origin: string): string {
  const url = URL.parse(text, origin);
  // Without the origin, a path such as that of `/.//evil.example` would lead to another site.
  return url?.origin === origin && !url.pathname.startsWith('//') ? url.pathname + url.search : '/';
}
