import { createHash, randomUUID } from 'node:crypto';
import { Identifier } from '@hr/schemas';
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify, type JWTPayload } from 'jose';
import type { Logger } from 'pino';
import { recordEvents } from '../audit/audit-events.ts';
import { describeError } from '../config/create-log.ts';
import type { Database, Queries } from '../database/database.ts';
import type { Scope } from '../http/grant.ts';
import type { GuardedRequest } from '../http/guarded-request.ts';
import { storeFetchedKeys } from './client-keys.ts';
import { noteClientChange } from './clients.ts';
import { createLookupCache } from './lookup-cache.ts';
import { algorithmNames, publicKeysOf, type PublicKey } from './public-keys.ts';

/** The actor of what the service does by itself. */
const SERVICE = 'service';
const MAX_LIFETIME_SECONDS = 300;
/** Clocks may differ by so much. */
const TOLERANCE_SECONDS = 30;

const FETCH_TIMEOUT_MS = 5000;
/** Keys of a URL are fetched again after this, and an unknown key has them fetched once in so long. */
const MAX_AGE_MS = 600_000;
const REFETCH_MS = 60_000;
/** If the URL fails, its last keys are used for so long. */
const MAX_STALE_MS = 86_400_000;

interface KeyedClient {
  readonly clientId: string;
  readonly keys: readonly PublicKey[];
  readonly jwksUrl: string | null;
  /** In the milliseconds of `performance.now()`; null if there was no fetch. */
  readonly fetchedAt: number | null;
}

/** Deletes the record of assertions that nobody accepts any more, whatever the clocks of the processes say. */
export async function deleteExpiredAssertions(queries: Queries): Promise<false> {
  await queries.query(`delete from client_assertion where expires_at < now() - interval '1 hour'`);
  return false;
}

/** Verifies assertions. */
export type ClientAssertions = ReturnType<typeof createClientAssertions>;

/** Verifies assertions of clients (RFC 7523, section 3). An assertion that no client has signed costs a query a second at most, all of them together. */
export function createClientAssertions(database: Database, request: GuardedRequest, log: Logger) {
  const clients = createLookupCache<ReadonlyMap<string, KeyedClient>>(() => true);
  const fetches = new Map<string, { readonly url: string; readonly at: number; readonly done: Promise<boolean> }>();

  const find = async (clientId: string) => (await clients.get('', () => readClients(database)))?.get(clientId);

  async function fetchKeys(clientId: string, jwksUrl: string): Promise<boolean> {
    try {
      const headers = { 'user-agent': 'HR-Cloud', accept: 'application/jwk-set+json, application/json' };
      const { status, body } = await request(new URL(jwksUrl), { method: 'GET', headers, timeoutMs: FETCH_TIMEOUT_MS });
      const keys = status === 200 && body !== undefined ? publicKeysOf(body) : undefined;
      if (!keys) throw Object.assign(new Error(), { code: `status ${status}, not a JWK set for the service` });
      await database.transaction(async (transaction) => {
        if (!(await storeFetchedKeys(transaction, { clientId, jwksUrl, keys }))) return;
        const access = { operation: 'fetchClientKeys', objectId: clientId, access: 'change' } as const;
        await recordEvents(transaction, [{ ...access, actor: SERVICE, requestId: randomUUID(), elements: 1 }]);
        await noteClientChange(transaction);
      });
      clients.evict();
      return true;
    } catch (error) {
      // Its path may contain a secret.
      const { origin } = new URL(jwksUrl);
      log.warn({ clientId, origin, error: describeError(error as Error) }, 'The keys of a client cannot be fetched.');
      return false;
    }
  }

  /** The key that has to have signed. */
  async function keyOf(clientId: string, kid: unknown): Promise<PublicKey | undefined> {
    const client = await find(clientId);
    const known = keyWith(client, kid, MAX_AGE_MS);
    if (known || typeof client?.jwksUrl !== 'string') return known;
    const last = fetches.get(clientId);
    const hasSucceeded = await last?.done;
    const { jwksUrl: url, fetchedAt } = (await find(clientId)) ?? client;
    // An operator may have set the same URL again, which has ended its keys.
    const isDue = last?.url !== url || performance.now() - last.at > REFETCH_MS || (hasSucceeded && fetchedAt === null);
    if (isDue && url !== null && fetches.get(clientId) === last) {
      fetches.set(clientId, { url, at: performance.now(), done: fetchKeys(clientId, url) });
    }
    await fetches.get(clientId)?.done;
    return keyWith(await find(clientId), kid, MAX_STALE_MS);
  }

  return {
    evict: () => clients.evict(),
    /**
     * The client that has signed an assertion, which works once; `undefined` if no key of a client has signed it.
     *
     * @param clientId of the form; may be empty
     * @param audiences of which the assertion names one
     */
    async verify(
      assertion: string,
      clientId: string,
      audiences: readonly string[],
    ): Promise<{ clientId: string; keyThumbprint: string; scope?: Scope | undefined; fault?: string } | undefined> {
      const issuer = subjectOf(assertion);
      if (issuer === undefined || (clientId || issuer.clientId) !== issuer.clientId) return undefined;
      const key = await keyOf(issuer.clientId, issuer.kid);
      if (!key) return undefined;
      const signed = { clientId: issuer.clientId, keyThumbprint: key.thumbprint };
      const options = {
        algorithms: [...algorithmNames[key.alg]],
        issuer: signed.clientId,
        audience: [...audiences],
        clockTolerance: TOLERANCE_SECONDS,
        requiredClaims: ['exp', 'jti'],
      };
      let payload: JWTPayload;
      try {
        ({ payload } = await jwtVerify(assertion, key.jwk, options));
      } catch (error) {
        // These come after the signature.
        const isSigned = error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed;
        return isSigned ? { ...signed, fault: faultOf(error.claim, audiences) } : undefined;
      }
      const { exp = 0, iat = 0, aud, jti } = payload;
      const now = Date.now() / 1000;
      if (Array.isArray(aud) && aud.length !== 1) return { ...signed, fault: faultOf('aud', audiences) };
      if (exp > now + MAX_LIFETIME_SECONDS + TOLERANCE_SECONDS) return { ...signed, fault: faultOf('exp', audiences) };
      if (iat > now + TOLERANCE_SECONDS) return { ...signed, fault: faultOf('iat', audiences) };
      if (typeof jti !== 'string' || jti === '') return { ...signed, fault: faultOf('jti', audiences) };
      return { ...signed, scope: await use(database, { ...signed, jti, exp: exp + TOLERANCE_SECONDS }) };
    },
  };
}

/** The key with a `kid`, or the only key without one. Those of a URL count for a time. */
function keyWith(client: KeyedClient | undefined, kid: unknown, maxAgeMs: number): PublicKey | undefined {
  const { keys = [], jwksUrl, fetchedAt } = client ?? {};
  if (typeof jwksUrl === 'string' && performance.now() - (fetchedAt ?? Number.NEGATIVE_INFINITY) > maxAgeMs)
    return undefined;
  return kid === undefined && keys.length === 1 ? keys[0] : keys.find((key) => key.kid === kid);
}

/** Of an assertion that is written as a JWT is: nothing of it is verified. */
function subjectOf(assertion: string): { readonly clientId: string; readonly kid: unknown } | undefined {
  // Its last character may have bits that no signature covers.
  const signature = assertion.split('.')[2] ?? '';
  if (Buffer.from(signature, 'base64url').toString('base64url') !== signature) return undefined;
  try {
    const { sub } = decodeJwt(assertion);
    const { kid } = decodeProtectedHeader(assertion);
    const { data: clientId } = Identifier.safeParse(sub);
    return clientId === undefined ? undefined : { clientId, kid };
  } catch {
    return undefined;
  }
}

function faultOf(claim: string, audiences: readonly string[]): string {
  if (claim === 'aud') return `aud of the assertion must be one value: ${audiences.join(' or ')}.`;
  if (claim === 'iss') return 'iss and sub of the assertion must both be the client id.';
  if (claim === 'jti') return 'The assertion has no jti: give each one another.';
  if (claim === 'exp') {
    return `exp of the assertion must be from now to ${MAX_LIFETIME_SECONDS} s later: create one for each request, and check the clock.`;
  }
  return `${claim} of the assertion is not a moment until now: check the clock.`;
}

/** Uses up an assertion, in all processes. Gives the scope of its client, unless it was used, or its key or client ended. */
async function use(
  queries: Queries,
  {
    clientId,
    keyThumbprint,
    jti,
    exp,
  }: { readonly clientId: string; readonly keyThumbprint: string; readonly jti: string; readonly exp: number },
): Promise<Scope | undefined> {
  const [client] = await queries.query<{ scope: Scope }>(
    `with used as (
      insert into client_assertion (client_id, jti_hash, expires_at)
      select client_id, $3, to_timestamp($4) from api_client join client_key using (client_id)
      where client_id = $1 and key_thumbprint = $2 and disabled_at is null
      on conflict do nothing returning client_id
    )
    select scope from api_client join used using (client_id)`,
    [clientId, keyThumbprint, createHash('sha256').update(jti).digest(), exp],
  );
  return client?.scope;
}

async function readClients(queries: Queries): Promise<ReadonlyMap<string, KeyedClient>> {
  const rows = await queries.query<Omit<KeyedClient, 'fetchedAt'> & { readonly ageMs: number | null }>(
    `select client_id as "clientId", jwks_url as "jwksUrl",
      extract(epoch from clock_timestamp() - jwks_fetched_at)::float8 * 1000 as "ageMs",
      coalesce(json_agg(json_build_object('kid', kid, 'thumbprint', key_thumbprint, 'alg', alg, 'jwk', jwk))
        filter (where kid is not null), '[]') as keys
    from api_client left join client_key using (client_id)
    where jwks_url is not null or kid is not null group by client_id`,
  );
  const now = performance.now();
  return new Map(
    rows.map(({ ageMs, ...client }) => [
      client.clientId,
      { ...client, fetchedAt: ageMs === null ? null : now - ageMs },
    ]),
  );
}
