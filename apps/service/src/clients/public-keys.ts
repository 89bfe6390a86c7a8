import { createHash, createPublicKey, type JsonWebKey } from 'node:crypto';
import { Identifier, text } from '@hr/schemas';
import { z } from 'zod';

/** A key of a client, as it is stored. */
export interface PublicKey {
  readonly kid: string;
  /** The thumbprint of RFC 7638. */
  readonly thumbprint: string;
  readonly alg: 'EdDSA' | 'ES256';
  /** Only what the key consists of. */
  readonly jwk: object;
}

const MAX_KEYS = 10;
const NOT_SUPPORTED = 'must be a public key for signatures: kty OKP with crv Ed25519, or kty EC with crv P-256';
const PRIVATE =
  'contains a private key. It is now compromised and must not be used: create another one, keep it where it is used, and give only its public key.';

const curves = { Ed25519: { kty: 'OKP', alg: 'EdDSA' }, 'P-256': { kty: 'EC', alg: 'ES256' } } as const;
/** `alg` of a key → the names of it in a JWT. RFC 9864 calls EdDSA by its curve. */
export const algorithmNames = { EdDSA: ['Ed25519', 'EdDSA'], ES256: ['ES256'] } as const;
/** Of private and symmetric keys (RFC 7518, section 6). */
const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];

const MAX_MEMBER_LENGTH = 255;
const memberText = text({ max: MAX_MEMBER_LENGTH });

/** A public key (RFC 7517). Other members are left out. */
const PublicJwk = z
  .looseObject({
    kty: memberText.describe('`OKP` or `EC`.'),
    crv: memberText.describe('`Ed25519` or `P-256`.').optional(),
    x: memberText.optional(),
    y: memberText.describe('Only with `P-256`.').optional(),
    kid: Identifier.describe('By default the thumbprint of the key (RFC 7638).').optional(),
    alg: memberText.optional(),
    use: memberText.optional(),
  })
  .superRefine((jwk, context) => {
    const key = publicKeyOf(jwk);
    if (typeof key === 'string') context.addIssue(key);
  })
  .meta({ id: 'PublicJwk' });

/** The keys of a client (RFC 7517, section 5). */
export const JwkSet = z
  .looseObject({ keys: z.array(PublicJwk).min(1).max(MAX_KEYS) })
  .refine(({ keys }) => {
    const all = keys.map(publicKeyOf);
    return areDifferent(all.filter((key) => typeof key !== 'string'));
  }, 'must not have a key or a kid twice')
  .meta({ id: 'JwkSet' });

/** A key as it is stored, or why it cannot be used. */
export function publicKeyOf(jwk: z.output<typeof PublicJwk>): PublicKey | string {
  if (privateMembers.some((member) => member in jwk)) return PRIVATE;
  const { kty, alg } = curves[jwk.crv as keyof typeof curves] ?? {};
  if (alg === undefined || kty !== jwk.kty || (jwk.use ?? 'sig') !== 'sig') return NOT_SUPPORTED;
  if (!(algorithmNames[alg] as readonly string[]).includes(jwk.alg ?? alg)) return NOT_SUPPORTED;
  try {
    const { crv, x, y } = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' }).export({ format: 'jwk' });
    const members = { crv, kty, x, y };
    const thumbprint = createHash('sha256').update(JSON.stringify(members)).digest('base64url');
    return { kid: jwk.kid ?? thumbprint, thumbprint, alg, jwk: members };
  } catch {
    return 'is not on its curve';
  }
}

/** The keys of the document behind a URL, without those that are not for the service; `undefined` if it is not valid. */
export function publicKeysOf(json: string): readonly PublicKey[] | undefined {
  let document: unknown;
  try {
    document = JSON.parse(json);
  } catch {
    return undefined;
  }
  const jwks = z.object({ keys: z.array(z.unknown()) }).safeParse(document).data?.keys;
  const keys = jwks?.flatMap((jwk) => {
    const { data } = PublicJwk.safeParse(jwk);
    return data ? (publicKeyOf(data) as PublicKey) : [];
  });
  return keys && keys.length <= MAX_KEYS && areDifferent(keys) ? keys : undefined;
}

function areDifferent(keys: readonly PublicKey[]): boolean {
  return (['kid', 'thumbprint'] as const).every((name) => new Set(keys.map((key) => key[name])).size === keys.length);
}
