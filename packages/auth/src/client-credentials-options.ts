import { AuthError } from './auth-error.ts';
import { MAX_TIMER_MS, unknownOptionFault } from './shared-rules.ts';
import { tokenEndpoint, type TokenEndpointOptions } from './token-endpoint.ts';

/**
 * Options of `clientCredentials`: those below, and either `baseUrl` or `tokenEndpoint`.
 *
 * @example
 * const options: ClientCredentialsOptions = {
 *   baseUrl: 'https://hr.example.com',
 *   clientId: 'payroll-sync',
 *   clientSecret: () => process.env['HR_CLIENT_SECRET'] ?? '',
 * };
 */
export type ClientCredentialsOptions = TokenEndpointOptions & {
  /** The client id, from the operator of the service. */
  readonly clientId: string;
  /** The client secret, or a function that returns it. The provider calls the function for each new token, so a rotated secret needs no restart. */
  readonly clientSecret: string | (() => string | Promise<string>);
  /**
   * The requested scopes, separated by spaces.
   *
   * @default 'api:use'
   */
  readonly scope?: string | undefined;
  /**
   * Maximum time for a new token, in milliseconds. It covers the `clientSecret` function, all attempts, the waits
   * between them, and the response body.
   *
   * @default 30_000
   */
  readonly timeout?: number | undefined;
  /**
   * Sends the requests, such as through a proxy. It must honour `redirect: 'manual'`.
   *
   * @default globalThis.fetch
   */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
};

/** The checked options, with defaults. */
export interface ClientCredentialsSettings extends Pick<ClientCredentialsOptions, 'clientId' | 'fetch'> {
  readonly tokenEndpoint: URL;
  readonly scope: string;
  readonly timeout: number;
  /** Rejects with `secret-unavailable` if the `clientSecret` function fails. */
  readonly readSecret: () => Promise<string>;
}

const optionNames: readonly (keyof ClientCredentialsOptions)[] = [
  'baseUrl',
  'tokenEndpoint',
  'clientId',
  'clientSecret',
  'scope',
  'timeout',
  'fetch',
  'allowInsecureHttp',
];
const DEFAULT_SCOPE = 'api:use';
const DEFAULT_TIMEOUT_MS = 30_000;
const VSCHAR = /^[\x20-\x7e]+$/;

/** @throws {AuthError} `invalid-option` or `insecure-url`; the message names the option. */
export function clientCredentialsSettings(options: ClientCredentialsOptions): ClientCredentialsSettings {
  check(
    typeof options === 'object' && options !== null,
    'clientCredentials needs its options, { baseUrl, clientId, clientSecret }.',
  );
  const unknown = unknownOptionFault('clientCredentials', options, optionNames);
  check(unknown === undefined, unknown ?? '');
  check(
    typeof Promise.withResolvers === 'function',
    'clientCredentials needs Node.js 22 or newer, or a current browser.',
  );
  const { clientId, clientSecret, scope = DEFAULT_SCOPE, timeout = DEFAULT_TIMEOUT_MS, fetch } = options;
  check(isVschar(clientId), 'clientId must be printable ASCII, not empty. Ask the operator of the service for it.');
  check(
    isVschar(clientSecret) || typeof clientSecret === 'function',
    'clientSecret must be printable ASCII, not empty, or a function that returns such a string. Trim it if it comes from a file.',
  );
  check(isVschar(scope), `scope must be one or more scopes separated by spaces. Omit it for ${DEFAULT_SCOPE}.`);
  check(
    Number.isInteger(timeout) && timeout > 0 && timeout <= MAX_TIMER_MS,
    `timeout must be an integer of milliseconds from 1 to ${MAX_TIMER_MS}.`,
  );
  check(fetch === undefined || typeof fetch === 'function', 'fetch must be a function such as the global fetch.');
  return {
    tokenEndpoint: tokenEndpoint(options),
    clientId,
    readSecret: () => readSecret(clientSecret),
    scope,
    timeout,
    ...(fetch && { fetch }),
  };
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new AuthError('invalid-option', message);
}

async function readSecret(clientSecret: ClientCredentialsOptions['clientSecret']): Promise<string> {
  if (typeof clientSecret === 'string') return clientSecret;
  let secret: unknown;
  try {
    secret = await clientSecret();
  } catch {
    throw new AuthError(
      'secret-unavailable',
      'The clientSecret function failed. Call it directly to see its error, which is not repeated here because it may contain the secret.',
    );
  }
  if (isVschar(secret)) return secret;
  throw new AuthError(
    'secret-unavailable',
    'The clientSecret function must return printable ASCII, not empty. Trim it if it comes from a file.',
  );
}

/** Whether a value is a non-empty string of printable ASCII, as ids, secrets and scopes are (RFC 6749, appendix A). */
function isVschar(value: unknown): value is string {
  return typeof value === 'string' && VSCHAR.test(value);
}
