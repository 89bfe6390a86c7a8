import { clientCredentials } from '../src/index.ts';
import type { ClientCredentialsOptions, TokenProvider } from '../src/index.ts';
import type { TokenServer } from './token-server.ts';

export const SECRET = 's3cret-that-nobody-may-see';

export function providerFor(
  { url }: TokenServer,
  options: Partial<Omit<ClientCredentialsOptions, 'baseUrl' | 'tokenEndpoint'>> = {},
): TokenProvider {
  return clientCredentials({ baseUrl: url, clientId: 'payroll-sync', clientSecret: SECRET, ...options });
}
