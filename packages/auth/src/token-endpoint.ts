import { AuthError } from './auth-error.ts';

/** The token endpoint, by its own address or by that of the service: exactly one of the two. */
export type TokenEndpointOptions = (
  | {
      /** Address of the service, with its path if it has one. The token endpoint is `{baseUrl}/api/oauth2/token` (specification, section 5). */
      readonly baseUrl: string | URL;
      readonly tokenEndpoint?: never;
    }
  | {
      /** Address of the token endpoint itself. */
      readonly tokenEndpoint: string | URL;
      readonly baseUrl?: never;
    }
) & {
  /**
   * Lets the secret travel over plain http to another machine, where everyone on the way can read it. Loopback addresses
   * need no leave.
   *
   * @default false
   */
  readonly allowInsecureHttp?: boolean;
};

const TOKEN_PATH = '/api/oauth2/token';
// The URL parser has brought every spelling of an IPv4 address to four decimal numbers.
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

export function tokenEndpoint({ baseUrl, tokenEndpoint: address, allowInsecureHttp }: TokenEndpointOptions): URL {
  if ((baseUrl === undefined) === (address === undefined)) {
    throw new AuthError('invalid-option', 'Give exactly one of the options baseUrl and tokenEndpoint.');
  }
  const url = baseUrl === undefined ? httpUrl('tokenEndpoint', address) : httpUrl('baseUrl', baseUrl);
  if (baseUrl !== undefined) {
    if (url.search) throw new AuthError('invalid-option', 'baseUrl must not have a query; use tokenEndpoint instead.');
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

// The value may hold a password, so no message repeats it.
function httpUrl(option: string, value: string | URL | undefined): URL {
  const url = URL.canParse(String(value)) ? new URL(String(value)) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.hash) {
    throw new AuthError(
      'invalid-option',
      `${option} must be an absolute http or https address without user, password or fragment, such as https://hr.example.com.`,
    );
  }
  return url;
}
