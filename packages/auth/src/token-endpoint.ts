import { AuthError } from './auth-error.ts';
import { baseUrlFault, httpAddress, insecureUrlFault } from './shared-rules.ts';

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
      readonly tokenEndpoint?: undefined;
    }
  | {
      /** Address of the token endpoint. */
      readonly tokenEndpoint: string | URL;
      readonly baseUrl?: undefined;
    }
) & {
  /**
   * Allows plain http to another machine. Everyone on the network path can then read the secret and the tokens. Loopback is
   * always allowed.
   *
   * @default false
   */
  readonly allowInsecureHttp?: boolean | undefined;
};

const TOKEN_PATH = '/api/oauth2/token';
const TOKEN_ENDPOINT_RULE =
  'tokenEndpoint must be an absolute http or https address without user, password and fragment, such as https://login.example.com/oauth2/token.';

/**
 * The token endpoint, and the audience of assertions: the issuer, or the token endpoint if only that is known (RFC 7523,
 * section 3).
 *
 * @param secret what would travel unencrypted over http
 * @throws {AuthError} `invalid-option` or `insecure-url`.
 */
export function tokenEndpoint(
  { baseUrl, tokenEndpoint: address, allowInsecureHttp }: TokenEndpointOptions,
  secret: string,
): { readonly tokenEndpoint: URL; readonly audience: string } {
  if ((baseUrl === undefined) === (address === undefined)) {
    throw new AuthError('invalid-option', 'baseUrl, tokenEndpoint: set exactly one of the two.');
  }
  const url = httpAddress(baseUrl ?? address);
  const fault = baseUrl === undefined ? (url ? undefined : TOKEN_ENDPOINT_RULE) : baseUrlFault(url);
  if (!url || fault !== undefined) throw new AuthError('invalid-option', fault ?? '');
  const insecure = insecureUrlFault(url, secret, allowInsecureHttp);
  if (insecure !== undefined) throw new AuthError('insecure-url', insecure);
  if (baseUrl === undefined) return { tokenEndpoint: url, audience: url.href };
  const audience = url.href.replace(/\/+$/, '');
  return { tokenEndpoint: new URL(audience + TOKEN_PATH), audience };
}
