import { clientCredentials, type ClientCredentialsOptions, type TokenProvider } from '../src/index.ts';
import type { TokenServer } from './token-server.ts';

export const SECRET = 's3cret-that-must-not-show';
/** For a provider with a `fetch` of its own: nothing listens there. */
export const NOWHERE = { url: 'http://127.0.0.1:2' };

export function providerFor(
  { url }: Pick<TokenServer, 'url'>,
  options: Partial<Omit<ClientCredentialsOptions, 'baseUrl' | 'tokenEndpoint' | 'privateKey'>> = {},
): TokenProvider {
  return clientCredentials({
    baseUrl: url,
    clientId: 'payroll-sync',
    clientSecret: SECRET,
    ...options,
  } as ClientCredentialsOptions);
}
