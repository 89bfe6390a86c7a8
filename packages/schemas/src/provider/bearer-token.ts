import { HttpProblem } from './http-error.ts';

/**
 * The bearer token of a request (RFC 6750 section 2.1).
 *
 * @param authorization the header `Authorization`
 * @throws {HttpProblem} `unauthorized` if it has none.
 * @example
 * bearerToken('Bearer 2YotnFZFEjr1zCsicMWpAA'); // '2YotnFZFEjr1zCsicMWpAA'
 */
export function bearerToken(authorization: string | null | undefined): string {
  const token = /^bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) throw unauthorized('Send an access token: Authorization: Bearer TOKEN.');
  return token;
}

/**
 * The token is unknown, revoked or expired (RFC 6750 section 3.1).
 *
 * @example
 * throw invalidToken();
 */
export function invalidToken(): HttpProblem {
  const detail = 'The access token is not known, was revoked or has expired; get a new one.';
  return unauthorized(detail, ', error="invalid_token"');
}

function unauthorized(detail: string, parameters = ''): HttpProblem {
  const headers = { 'www-authenticate': `Bearer realm="hr-cloud"${parameters}` };
  return new HttpProblem('unauthorized', detail, { headers });
}

/**
 * The token is valid, but has another scope (RFC 6750 section 3.1).
 *
 * @param sufficient the scopes each of which is enough, the narrowest first
 * @example
 * throw insufficientScope(API_SCOPE);
 */
export function insufficientScope(...sufficient: readonly [string, ...string[]]): HttpProblem {
  const [narrowest] = sufficient;
  return new HttpProblem('forbidden', `This needs an access token of the scope ${sufficient.join(' or ')}.`, {
    headers: { 'www-authenticate': `Bearer realm="hr-cloud", error="insufficient_scope", scope="${narrowest}"` },
  });
}
