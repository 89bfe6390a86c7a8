import { AuthError } from './auth-error.ts';
import { isVschar, readerOf, type ClientProof, type ReadProof } from './client-proof.ts';
import { MAX_TIMER_MS, unknownOptionFault } from './shared-rules.ts';
import { tokenEndpoint, type TokenEndpointOptions } from './token-endpoint.ts';

/**
 * Options of `clientCredentials`: those below, either `baseUrl` or `tokenEndpoint`, and either `clientSecret` or
 * `privateKey`.
 *
 * @example
 * const options: ClientCredentialsOptions = {
 *   baseUrl: 'https://hr.example.com',
 *   clientId: 'payroll-sync',
 *   clientSecret: () => process.env['HR_CLIENT_SECRET'] ?? '',
 * };
 */
export type ClientCredentialsOptions = TokenEndpointOptions &
  ClientProof & {
    /** The client id, from the operator of the service. */
    readonly clientId: string;
    /**
     * The requested scopes, separated by spaces.
     *
     * @default 'api:use'
     */
    readonly scope?: string | undefined;
    /**
     * Maximum time for a new token, in milliseconds. It covers the function that returns the secret or key, all attempts, the waits
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
  /** Of assertions. */
  readonly audience: string;
  readonly scope: string;
  readonly timeout: number;
  /** Rejects with `secret-unavailable`. */
  readonly readProof: () => Promise<ReadProof>;
}

const optionNames: readonly (keyof ClientCredentialsOptions)[] = [
  'baseUrl',
  'tokenEndpoint',
  'clientId',
  'clientSecret',
  'privateKey',
  'scope',
  'timeout',
  'fetch',
  'allowInsecureHttp',
];
const DEFAULT_SCOPE = 'api:use';
const DEFAULT_TIMEOUT_MS = 30_000;

/** @throws {AuthError} `invalid-option` or `insecure-url`; the message names the option. */
export function clientCredentialsSettings(options: ClientCredentialsOptions): ClientCredentialsSettings {
  check(
    typeof options === 'object' && options !== null,
    'clientCredentials needs its options, { baseUrl, clientId, clientSecret or privateKey }.',
  );
  const unknown = unknownOptionFault('clientCredentials', options, optionNames);
  check(unknown === undefined, unknown ?? '');
  check(
    typeof Promise.withResolvers === 'function',
    'clientCredentials needs Node.js 22 or newer, or a current browser.',
  );
  const { clientId, scope = DEFAULT_SCOPE, timeout = DEFAULT_TIMEOUT_MS, fetch } = options;
  check(isVschar(clientId), 'clientId must be printable ASCII, not empty. Ask the operator of the service for it.');
  const readProof = readerOf(options);
  check(isVschar(scope), `scope must be one or more scopes separated by spaces. Omit it for ${DEFAULT_SCOPE}.`);
  check(
    Number.isInteger(timeout) && timeout > 0 && timeout <= MAX_TIMER_MS,
    `timeout must be an integer of milliseconds from 1 to ${MAX_TIMER_MS}.`,
  );
  check(fetch === undefined || typeof fetch === 'function', 'fetch must be a function such as the global fetch.');
  return {
    ...tokenEndpoint(options, options.privateKey === undefined ? 'The client secret' : 'The access token'),
    clientId,
    readProof,
    scope,
    timeout,
    ...(fetch && { fetch }),
  };
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new AuthError('invalid-option', message);
}
