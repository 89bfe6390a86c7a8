import { AuthError } from './auth-error.ts';
import { tokenEndpoint } from './token-endpoint.ts';
import type { TokenEndpointOptions } from './token-endpoint.ts';
import { isVschar } from './vschar.ts';

/** Options of `clientCredentials`: those below, and either `baseUrl` or `tokenEndpoint`. */
export type ClientCredentialsOptions = TokenEndpointOptions & {
  /** The client id the operator gave you. */
  readonly clientId: string;
  /** The client secret, or a function that fetches it. The function is asked again for each new token, so a rotated secret needs no restart. */
  readonly clientSecret: string | (() => string | Promise<string>);
  /**
   * The scope to ask for, several separated by a space.
   *
   * @default 'api:use'
   */
  readonly scope?: string;
  /**
   * How long getting a token may take in all, in milliseconds: the `clientSecret` function, every attempt, the waits
   * between them, reading the answer.
   *
   * @default 30_000
   */
  readonly timeout?: number;
  /**
   * Sends the request instead of the global `fetch`: a proxy, a test. It must honour `redirect: 'manual'`.
   *
   * @default globalThis.fetch
   */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
};

/** The options, checked and with their defaults. */
export interface ClientCredentialsSettings extends Pick<
  ClientCredentialsOptions,
  'clientId' | 'clientSecret' | 'fetch'
> {
  readonly tokenEndpoint: URL;
  readonly scope: string;
  readonly timeout: number;
}

const DEFAULT_SCOPE = 'api:use';
const DEFAULT_TIMEOUT_MS = 30_000;
// Beyond 32 bits a timer fires at once.
const MAX_TIMEOUT_MS = 2_147_483_647;

/** Checks the options; every message names the option and what to do. */
export function clientCredentialsSettings(options: ClientCredentialsOptions): ClientCredentialsSettings {
  check(
    typeof options === 'object' && options !== null,
    'clientCredentials must be given its options, { baseUrl, clientId, clientSecret }.',
  );
  const { clientId, clientSecret, scope = DEFAULT_SCOPE, timeout = DEFAULT_TIMEOUT_MS, fetch } = options;
  check(
    isVschar(clientId),
    'clientId must be the id the operator gave you: printable ASCII, not empty, no line break.',
  );
  check(
    isVschar(clientSecret) || typeof clientSecret === 'function',
    'clientSecret must be printable ASCII, not empty, no line break (trim what you read from a file), or a function that returns that.',
  );
  check(isVschar(scope), `scope must be one or more scopes separated by a space; leave it out for ${DEFAULT_SCOPE}.`);
  check(
    Number.isInteger(timeout) && timeout > 0 && timeout <= MAX_TIMEOUT_MS,
    `timeout must be a whole number of milliseconds from 1 to ${MAX_TIMEOUT_MS}.`,
  );
  check(fetch === undefined || typeof fetch === 'function', 'fetch must be a function like the global fetch.');
  return {
    tokenEndpoint: tokenEndpoint(options),
    clientId,
    clientSecret,
    scope,
    timeout,
    ...(fetch && { fetch }),
  };
}

function check(holds: boolean, remedy: string): void {
  if (!holds) throw new AuthError('invalid-option', remedy);
}
