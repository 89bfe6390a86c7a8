import { AuthError, clientCredentials, isAuthError } from '@hr/auth';
import type { AccessToken } from '@hr/auth';

/** Gets one token for two callers, and an error for a wrong secret. */
export async function program(baseUrl: string): Promise<string> {
  const login = { baseUrl, clientId: 'demo', clientSecret: 'demo-secret' };
  const auth = clientCredentials(login);
  const [token, same]: AccessToken[] = await Promise.all([auth.getToken(), auth.getToken()]);
  const wrong = clientCredentials({ ...login, clientSecret: 'guessed' });
  const error: unknown = await wrong.getToken().catch((reason: unknown) => reason);
  const headers = { authorization: `Bearer ${token?.value}` };
  const { status } = await fetch(`${baseUrl}/api/v1/persons?changedSince=2999-01-01`, { headers });
  return [token === same, status, error instanceof AuthError, isAuthError(error) && error.code].join(' ');
}
