import { AuthError } from './auth-error.ts';

/**
 * The token endpoint, by its own address or by the address of the service: exactly one of the two.
 *
 * @example
 * const endpoint: TokenEndpointOptions = { tokenEndpoint: 'https://login.example.com/oauth2/token' };
 */
export type TokenEndpointOptions = (
  | {
      /** Address of the service, with its path if it has one. The token endpoint is `{baseUrl}/api/oauth2/token` (specification, section 5). */
      readonly baseUrl: string | URL;
      readonly tokenEndpoint?: never;
    }
  | {
      /** Address of the token endpoint. */
      readonly tokenEndpoint: string | URL;
      readonly baseUrl?: never;
    }
) & {
  /**
   * Allows plain http to another machine. Everyone on the network path can then read the secret. Loopback is always
   * allowed.
   *
   * @default false
   */
  readonly allowInsecureHttp?: boolean;
};

const TOKEN_PATH = '/api/oauth2/token';
// The URL parser normalises every spelling of an IPv4 address to four decimal numbers.
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

export function tokenEndpoint({ baseUrl, tokenEndpoint: address, allowInsecureHttp }: TokenEndpointOptions): URL {
  if ((baseUrl === undefined) === (address === undefined)) {
    throw new AuthError('invalid-option', 'baseUrl, tokenEndpoint: set exactly one of the two.');
  }
  const url = baseUrl === undefined ? httpUrl('tokenEndpoint', address) : httpUrl('baseUrl', baseUrl);
  if (baseUrl !== undefined) {
    if (url.search) {
      throw new AuthError('invalid-option', 'baseUrl: must not have a query. Set tokenEndpoint instead.');
    }
    url.pathname = url.pathname.replace(/\/+$/, '') + TOKEN_PATH;
  }
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname) && allowInsecureHttp !== true) {
    throw new AuthError(
      'insecure-url',
      `The client secret would travel unencrypted to ${url.host}. Use https, or set allowInsecureHttp: true on a network you trust.`,
    );
  }
  return url;
}

// No message repeats the value: it may contain a password.
function httpUrl(option: string, value: string | URL | undefined): URL {
  const url = URL.canParse(String(value)) ? new URL(String(value)) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.hash) {
    throw new AuthError(
      'invalid-option',
      `${option}: must be an absolute http or https URL without user, password and fragment, such as https://hr.example.com.`,
    );
  }
  return url;
}
