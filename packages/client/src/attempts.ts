import type { Call } from './call.ts';
import type { CheckedRequest } from './checked-request.ts';
import { STALLED } from './deadline.ts';
import { errorFromResponse } from './error-from-response.ts';
import type { HrClientSettings } from './hr-client-settings.ts';
import type { HrError } from './hr-error.ts';
import { networkFault } from './network-fault.ts';
import { outcomeOfFault } from './outcome.ts';
import { isTokenValue } from './shared-rules.ts';
import type { AccessToken } from './token-provider.ts';

const PARTIAL_CONTENT = 206;
const UNAUTHORIZED = 401;
const codePattern = /^[\w.-]{1,64}$/;
/** Errors of the token provider that are not about the client id or secret. */
const tokenRemedies: Readonly<Record<string, string>> = {
  network: 'Check the address of the token endpoint, such as its baseUrl, and the connection.',
  timeout: 'Check that the token endpoint responds, or increase the timeout of the token provider.',
  'invalid-scope': 'Check the scope of the token provider, and that the operator granted it to this client.',
};

/** Otherwise a browser may store responses on disk, and return a stored one. Older workers refuse the option. */
function unstored(): RequestInit {
  return 'cache' in Request.prototype ? { cache: 'no-store' } : {};
}

/** The attempts of a call. */
export class Attempts {
  readonly #settings: HrClientSettings;
  readonly #request: CheckedRequest;
  readonly #call: Call;
  #mayReplay = true;

  constructor(settings: HrClientSettings, request: CheckedRequest, call: Call) {
    this.#settings = settings;
    this.#request = request;
    this.#call = call;
  }

  /**
   * Makes an attempt with the current token of the provider. Once per call, it replaces a rejected token and sends the
   * request again.
   *
   * @returns A successful response.
   */
  async next(replacement?: AccessToken): Promise<Response> {
    const call = this.#call;
    call.begin();
    const token = replacement ?? (await this.#currentToken());
    const requestTrace = call.sending();
    const controller = new AbortController();
    const { attemptTimeout } = this.#settings;
    const traced = this.#settings.trace('request', requestTrace, () =>
      call.deadline.wait(() => this.#fetch(token, controller), attemptTimeout),
    );
    let response: Response;
    let hasResponse = false;
    try {
      response = await traced.result;
      hasResponse = true;
      call.received(response, requestTrace);
      traced.end();
    } catch (error) {
      // With a response, the option fetch returned something else.
      const failure = hasResponse ? error : this.#withoutResponse(error);
      if (error === STALLED) controller.abort();
      traced.end(failure);
      throw failure;
    }
    if (response.ok && !response.redirected && response.status !== PARTIAL_CONTENT) return response;
    if (response.status === UNAUTHORIZED && this.#mayReplay) {
      this.#mayReplay = false;
      const error = await errorFromResponse(this.#request, call, response);
      await this.#evict(token);
      const other = await this.#currentToken();
      if (other.value === token.value) throw error;
      call.retrying('unauthorized');
      return this.next(other);
    }
    if (response.status === PARTIAL_CONTENT) {
      response.body?.cancel().catch(() => undefined);
      call.conclude('accepted');
      throw call.error('invalid-response', 'the service responded with a part of the content, 206');
    }
    // fetch would follow a redirected payment as a read, and its response would look like a success.
    if (
      response.type === 'opaqueredirect' ||
      response.redirected ||
      (response.status >= 300 && response.status < 400)
    ) {
      response.body?.cancel().catch(() => undefined);
      throw call.error('redirected', 'the service redirects to another address');
    }
    throw await errorFromResponse(this.#request, call, response);
  }

  #fetch({ value }: AccessToken, controller: AbortController): Promise<Response> {
    const { url, ...init } = this.#request;
    const headers = { ...init.headers, authorization: `Bearer ${value}` };
    const { signal, bodySignal } = this.#call;
    const abort = (): void => controller.abort(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    const { fetch = globalThis.fetch } = this.#settings;
    // A listener of our own would keep all of the call as long as the caller's signal.
    const either = bodySignal ? AbortSignal.any([controller.signal, bodySignal]) : controller.signal;
    return fetch(url, { ...init, headers, signal: either, redirect: 'manual', ...unstored() });
  }

  /** The error of a request without a response. */
  #withoutResponse(thrown: unknown): unknown {
    const call = this.#call;
    if (call.signal.aborted) return call.signal.reason;
    if (thrown === STALLED) {
      const { attemptTimeout } = this.#settings;
      return call.error('timeout', `no response within ${attemptTimeout} ms`, {
        remedy: 'Increase attemptTimeout, or check that the service is reachable.',
      });
    }
    const isPlatform = !this.#settings.fetch;
    const fault = networkFault(thrown, isPlatform);
    const { reason, isOfNetwork } = fault;
    const { outcome, isUntrusted } = outcomeOfFault(fault, isPlatform);
    call.conclude(outcome);
    const because = reason === undefined ? '' : `, ${reason}`;
    if (isUntrusted) return call.error('untrusted-certificate', `the certificate is not trusted${because}`);
    if (isOfNetwork) {
      const what = outcome === 'not-sent' ? 'no connection' : 'the connection failed before a response';
      return call.error('network', what + because);
    }
    if (outcome === 'not-sent') return call.error('fetch-failed', `the platform refuses the request${because}`);
    const cause = withoutMessage(thrown);
    return call.error('fetch-failed', 'the option fetch threw an error that is none of the network', {
      remedy: 'See cause for its place.',
      ...(cause && { cause }),
    });
  }

  async #evict(token: AccessToken): Promise<void> {
    const { deadline, signal } = this.#call;
    try {
      await deadline.wait(() => this.#settings.auth.invalidate(token));
    } catch {
      signal.throwIfAborted();
      throw this.#call.error('token-unavailable', 'the token provider failed to evict a rejected token');
    }
  }

  async #currentToken(): Promise<AccessToken> {
    const { auth } = this.#settings;
    const { deadline, signal } = this.#call;
    let token: AccessToken | undefined;
    try {
      token = await deadline.wait(() => auth.getToken({ signal }));
    } catch (error) {
      if (deadline.expired) {
        throw this.#call.error('timeout', 'timed out while it waited for the token', {
          remedy: 'Increase timeout, or check that auth returns a token.',
        });
      }
      signal.throwIfAborted();
      throw this.#withoutToken(error);
    }
    const value: unknown = token?.value;
    // Other values cannot be a header, and the platform's error would quote them.
    if (token && isTokenValue(value)) return token;
    const found = value === undefined ? 'undefined' : `an unusable ${typeof value}`;
    const what = auth.isFunction ? `auth returned ${found}` : `getToken of auth returned the value ${found}`;
    const rule = 'it must return the token as text, without "Bearer " and line breaks';
    throw this.#call.error('token-unavailable', `${what}; ${rule}`, { remedy: '' });
  }

  #withoutToken(error: unknown): HrError {
    const { auth } = this.#settings;
    const { code, retryAfterMs } = (error ?? {}) as { readonly code?: unknown; readonly retryAfterMs?: unknown };
    const tokenErrorCode = typeof code === 'string' && codePattern.test(code) ? code : undefined;
    const reason = tokenErrorCode === undefined ? '' : `; its error code is ${tokenErrorCode}`;
    // The error of a function is the caller's own. The error of a provider may contain requests and responses.
    const hint = auth.isFunction ? 'See cause for its error.' : 'Call its getToken by itself to see why.';
    return this.#call.error('token-unavailable', `${auth.isFunction ? 'auth' : 'the token provider'} threw${reason}`, {
      remedy: tokenErrorCode === undefined ? hint : tokenRemedies[tokenErrorCode],
      tokenErrorCode,
      retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : undefined,
      ...(auth.isFunction && { cause: error }),
    });
  }
}

/** An error of a function of the caller, with its stack, but without its message, which may quote the request. */
function withoutMessage(thrown: unknown): Error | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { name, message, stack = '' } = thrown;
  const copy = new Error('Its message is not shown, as it may quote the request.');
  copy.name = /^\w{1,64}$/.test(name) ? name : 'Error';
  const frames = stack.slice(message && stack.includes(message) ? stack.lastIndexOf(message) + message.length : 0);
  copy.stack = [`${copy.name}: ${copy.message}`, ...frames.split('\n').filter((line) => /^ +at |@/.test(line))].join(
    '\n',
  );
  return copy;
}
