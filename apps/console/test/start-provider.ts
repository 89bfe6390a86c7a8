import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { Provider } from 'oidc-provider';
import { vi } from 'vitest';

/** What the provider says of a person. */
export type ProviderClaims = Readonly<Record<string, unknown>>;

/** A real OpenID provider, on a port of its own, behind a proxy that can spoil what it says. */
export interface TestProvider extends AsyncDisposable {
  readonly issuer: string;
  /** By subject. */
  readonly people: Map<string, ProviderClaims>;
  /** The subject who signs in next, without a form. */
  signedIn: string;
  /** Changes the claims of each ID token, which it signs anew. */
  change: ((claims: JWTPayload) => JWTPayload) | undefined;
  /** Whether it does not answer. */
  isDown: boolean;
  /** Whether the secret of the console is still valid. */
  knowsConsole: boolean;
  /** Signs with another key from now on. It is one of the provider unless it is `foreign`. */
  readonly rotate: (isForeign?: boolean) => Promise<void>;
  /** Signs any claims, as a token of the provider. */
  readonly sign: (claims: JWTPayload, type?: string) => Promise<string>;
}

const lifetimes = ['AccessToken', 'AuthorizationCode', 'Grant', 'IdToken', 'Interaction', 'RefreshToken', 'Session'];

export const CLIENT = { id: 'hr-console', secret: 'a secret of the console' };

/** @param origin - Of the console. */
export async function startProvider(origin: string): Promise<TestProvider> {
  const keys: { readonly kid: string; readonly privateKey: CryptoKey; readonly jwk: object }[] = [];
  const published: object[] = [];
  const rotate = async (isForeign = false): Promise<void> => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const kid = `key ${keys.length}`;
    keys.push({ kid, privateKey, jwk: { ...(await exportJWK(privateKey)), kid, alg: 'ES256', use: 'sig' } });
    if (!isForeign) published.push({ ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' });
  };
  await rotate();
  const sign = async (claims: JWTPayload, typ?: string): Promise<string> => {
    const { kid = '', privateKey } = keys.at(-1) ?? {};
    const header = { alg: 'ES256', kid, ...(typ && { typ }) };
    return await new SignJWT(claims).setProtectedHeader(header).sign(privateKey as CryptoKey);
  };

  const front = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const scopes = 'openid profile email groups';
  // It keeps its state in memory, and says so.
  const warned = vi.spyOn(console, 'warn').mockReturnValue();
  const oidc = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${origin}/oidc/callback`],
        post_logout_redirect_uris: [`${origin}/sign-in`],
        backchannel_logout_uri: `${origin}/oidc/back-channel-logout`,
        backchannel_logout_session_required: true,
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['authorization_code', 'refresh_token'],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: keys.map(({ jwk }) => jwk as never) },
    cookies: { keys: ['a key of a test'] },
    claims: { openid: ['sub', 'sid'], profile: ['name', 'employee_number'], email: ['email'], groups: ['groups'] },
    scopes: scopes.split(' '),
    conformIdTokenClaims: false,
    ttl: Object.fromEntries(lifetimes.map((name) => [name, 3600])),
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { logoutSource: (context, form) => void (context.body = form) },
    },
    // By default it reaches no address of this computer.
    fetch: async (url, init) => await fetch(url, { ...init, dispatcher: undefined } as RequestInit),
    interactions: { url: (_context, { uid }) => `/who/${uid}` },
    findAccount: (_context, sub) => {
      const claims = test.people.get(sub);
      return claims && { accountId: sub, claims: async () => ({ ...claims, sub }) };
    },
    loadExistingGrant: async ({ oidc: { client, session, provider } }) => {
      const known = session?.grantIdFor(client?.clientId ?? '');
      if (known !== undefined) return await provider.Grant.find(known);
      const grant = new provider.Grant({ clientId: client?.clientId, accountId: session?.accountId });
      grant.addOIDCScope(scopes);
      await grant.save();
      return grant;
    },
  });
  warned.mockRestore();
  const callback = oidc.callback();
  const inner = createServer((request, response) => {
    if (request.url?.startsWith('/who/')) {
      void oidc.interactionFinished(request, response, { login: { accountId: test.signedIn } });
    } else void callback(request, response);
  });
  await new Promise<void>((resolve) => inner.listen(0, '127.0.0.1', resolve));
  const { port } = inner.address() as AddressInfo;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url: path = '', headers } = request;
    if (test.isDown) {
      response.writeHead(503).end();
      return;
    }
    if (path === '/jwks') {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: published }));
      return;
    }
    const sent = await buffer(request);
    const body = test.knowsConsole ? sent : Buffer.from(String(sent).replace('client_secret=', 'client_secret=x'));
    if (!test.knowsConsole) headers['content-length'] = String(body.length);
    const answered = await new Promise<IncomingMessage>((resolve, reject) => {
      // The provider reads from the header where it is.
      const passed = sendRequest({ host: '127.0.0.1', port, method, path, headers, agent: false }, resolve);
      passed.once('error', reject).end(body);
    });
    let text = await buffer(answered);
    if (path === '/token' && answered.statusCode === 200) {
      const tokens = JSON.parse(text.toString()) as { id_token?: string };
      const [, payload] = tokens.id_token?.split('.') ?? [];
      if (payload !== undefined) {
        const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as JWTPayload;
        tokens.id_token = await sign(test.change?.(claims) ?? claims);
      }
      text = Buffer.from(JSON.stringify(tokens));
    }
    const { 'content-length': _length, 'transfer-encoding': _encoding, ...kept } = answered.headers;
    response.writeHead(answered.statusCode ?? 500, kept).end(text);
  }

  const test: TestProvider = {
    issuer,
    people: new Map(),
    signedIn: '',
    change: undefined,
    isDown: false,
    knowsConsole: true,
    rotate,
    sign,
    [Symbol.asyncDispose]: async () => {
      for (const server of [front, inner]) {
        server.closeAllConnections();
        // oxlint-disable-next-line no-await-in-loop -- the one after the other
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
  return test;
}

/** A browser without a page: it keeps cookies and follows redirects as one. */
export class CookieJar {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** Sends one request. */
  async send(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const { host, origin } = new URL(address);
    const cookies = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, cookies);
    const cookie = Array.from(cookies, (pair) => pair.join('=')).join('; ');
    const headers = { origin, cookie, ...(init.headers as Record<string, string>) };
    const response = await fetch(address, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  /** Follows redirects until there is none, or one to an address that begins so. Returns the addresses. */
  async follow(address: string, until?: string): Promise<string[]> {
    const passed = [address];
    for (;;) {
      const current = passed.at(-1) ?? '';
      if (until !== undefined && current.startsWith(until)) return passed;
      // oxlint-disable-next-line no-await-in-loop -- the one after the other
      const response = await this.send(current);
      const location = response.headers.get('location');
      // oxlint-disable-next-line no-await-in-loop
      await response.body?.cancel();
      if (location === null) return passed;
      passed.push(new URL(location, current).href);
    }
  }
}
