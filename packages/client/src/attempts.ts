import type { AccessToken } from '@hr/auth';
import { abortable } from './abortable.ts';
import type { Call } from './call.ts';
import type { CheckedRequest } from './checked-request.ts';
import type { HrClientSettings } from './hr-client-options.ts';
import { networkFault } from './network-fault.ts';
import { refusal } from './refusal.ts';

const UNAUTHORIZED = 401;
// Anything else could not be a header, and the platform's own error about that would quote it.
const tokenPattern = /^[\x21-\x7e]+$/;
const codePattern = /^[\w.-]{1,64}$/;
/** Where it is not the client id or its secret: by the code of the token provider's error, '' where that has none. */
const tokenRemedies: ReadonlyMap<string, string> = new Map([
  ['', 'Call its getToken by itself to see why.'],
  ['network', 'Check the address that it asks for tokens, such as its baseUrl, and the connection.'],
  ['timeout', 'See whether the address that it asks for tokens, such as its baseUrl, answers, or raise its timeout.'],
]);

/** Makes the function that is each attempt: it gives a success or throws. It takes the token of the moment, and another one, once a call, when that is refused. */
export function attemptsOf(
  { auth, fetch }: HrClientSettings,
  request: CheckedRequest,
  call: Call,
): () => Promise<Response> {
  const { signal } = call;
  let mayReplay = true;

  async function attempt(): Promise<Response> {
    call.begin();
    const token = await currentToken();
    const response = await answer(token);
    if (response.status === UNAUTHORIZED && mayReplay) {
      mayReplay = false;
      response.body?.cancel().catch(() => undefined);
      call.conclude('rejected');
      call.retrying('unauthorized');
      await drop(token);
      return attempt();
    }
    // A payment that is redirected would be sent on as a read, and the answer to that would look like success.
    if (
      response.type === 'opaqueredirect' ||
      response.redirected ||
      (response.status >= 300 && response.status < 400)
    ) {
      response.body?.cancel().catch(() => undefined);
      throw call.error('redirected', 'the service redirects to another address');
    }
    if (!response.ok) throw await refusal(request, call, response);
    return response;
  }

  async function drop(token: AccessToken): Promise<void> {
    try {
      await abortable(Promise.resolve(auth.invalidate(token)), signal);
    } catch {
      signal.throwIfAborted();
      throw call.error('token-unavailable', 'the token provider failed to drop a refused token');
    }
  }

  async function currentToken(): Promise<AccessToken> {
    let reason = 'it handed out something that cannot be a token';
    let remedy: string | undefined;
    try {
      const token = await abortable(auth.getToken({ signal }), signal);
      if (tokenPattern.test(token.value)) return token;
    } catch (error) {
      signal.throwIfAborted();
      const { code } = (error ?? {}) as { readonly code?: unknown };
      const known = typeof code === 'string' && codePattern.test(code) ? code : '';
      reason = known === '' ? 'it failed' : `its error says ${known}`;
      remedy = tokenRemedies.get(known);
    }
    throw call.error('token-unavailable', `the token provider gave no token, ${reason}`, undefined, remedy);
  }

  async function answer({ value }: AccessToken): Promise<Response> {
    call.sending();
    const { url, ...init } = request;
    const headers = { ...init.headers, authorization: `Bearer ${value}` };
    try {
      // A browser would keep answers on its disk, and give an old one without asking where nothing forbids it.
      const unfollowed = { ...init, headers, signal, redirect: 'manual', cache: 'no-store' } as const;
      const response = await abortable(fetch(url, unfollowed), signal);
      call.answered(response);
      return response;
    } catch (error) {
      signal.throwIfAborted();
      const { outcome, systemCode, isUntrusted } = networkFault(error);
      call.conclude(outcome);
      if (isUntrusted) throw call.error('untrusted-certificate', `the certificate cannot be trusted, ${systemCode}`);
      const what = outcome === 'not-sent' ? 'no connection came about' : 'the connection failed before an answer';
      throw call.error('network', systemCode === undefined ? what : `${what}, ${systemCode}`);
    }
  }

  return attempt;
}
