import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Queries } from '../database/database.ts';
import { secretHash, secretIsValid } from './secrets.ts';

// Scanners for secrets in code and logs recognise the prefixes.
const prefixes = { secret: 'hrs_', token: 'hrt_' } as const;

/** Behind the prefix: the id of a key, random bits and a checksum by that key, together in base64url. */
const KEY_ID_BYTES = 2;
const RANDOM_BYTES = 32;
const CHECKSUM_BYTES = 8;
// No character has spare bits, so each change of one changes the bytes.
const form = /^hr[st]_([\w-]{56})$/;

/** Shorter than the minute after which a new key issues, so that an unknown key has issued nothing. */
const MAX_AGE_MS = 30_000;

interface Key {
  readonly id: number;
  readonly key: Uint8Array;
}

interface Credential {
  readonly kind: keyof typeof prefixes;
  /** Whose secret it is. A token does not say. */
  readonly clientId?: string;
}

/** A new secret of a client, and the id of its key. */
export function newSecret(
  queries: Queries,
  clientId: string,
): Promise<{ readonly text: string; readonly keyId: number }> {
  return issue(queries, { kind: 'secret', clientId });
}

/** A new access token. */
export async function newToken(queries: Queries): Promise<string> {
  return (await issue(queries, { kind: 'token' })).text;
}

async function issue(queries: Queries, credential: Credential): Promise<{ text: string; keyId: number }> {
  const [current] = await queries.query<Key>(
    'select id, key from credential_key where issues_from <= clock_timestamp() order by id desc limit 1',
  );
  const { id, key } = current as Key;
  const content = randomBytes(KEY_ID_BYTES + RANDOM_BYTES);
  content.writeUInt16BE(id);
  const bytes = Buffer.concat([content, checksum(key, content, credential)]);
  return { text: prefixes[credential.kind] + bytes.toString('base64url'), keyId: id };
}

function checksum(key: Uint8Array, content: Buffer, { kind, clientId = '' }: Credential): Buffer {
  const hmac = createHmac('sha256', key).update(prefixes[kind]).update(content).update(clientId);
  return hmac.digest().subarray(0, CHECKSUM_BYTES);
}

/** Adds a key, which issues from a minute later on. */
export async function addCredentialKey(
  queries: Queries,
): Promise<{ readonly id: number; readonly issuesFrom: string }> {
  const [added] = await queries.query<{ id: number; issuesFrom: string }>(
    `insert into credential_key default values returning id, to_json(issues_from) #>> '{}' as "issuesFrom"`,
  );
  return added as { id: number; issuesFrom: string };
}

/** Deletes the keys of which no valid secret is left, nor a token, as these live for a day at most. */
export async function deleteUnusedKeys(queries: Queries): Promise<false> {
  await queries.query(
    `delete from credential_key as key
    where exists (select from credential_key where id > key.id and issues_from < now() - interval '25 hours')
      and not exists (select from client_secret where key_id = key.id and ${secretIsValid})`,
  );
  return false;
}

/** Tells guesses from the secrets and tokens that a service on the same database has issued. */
export interface CredentialKeys {
  /**
   * Whether a text is a credential that was issued, be it still valid or not. It needs no query, unless there may be a new
   * key: one in half a minute.
   */
  hasIssued(text: string, credential: Credential): Promise<boolean>;
}

export function createCredentialKeys(queries: Queries): CredentialKeys {
  const keys = new Map<number, Uint8Array>();
  /** Secrets without a checksum, by client and hash. */
  const chosen = new Set<string>();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const now = performance.now();
    const rows = await queries.query<{ id: number | null; bytes: Uint8Array; clientId: string }>(
      `select id, key as bytes, '' as "clientId" from credential_key
      union all select null, secret_hash, client_id from client_secret where key_id is null`,
    );
    keys.clear();
    chosen.clear();
    for (const { id, bytes, clientId } of rows) {
      if (id === null) chosen.add(nameOf(bytes, clientId));
      else keys.set(id, bytes);
    }
    readAt = now;
  }

  /** `undefined` where a key or a secret may be missing. */
  function judge(text: string, credential: Credential): boolean | undefined {
    const { kind, clientId = '' } = credential;
    const [, encoded] = text.startsWith(prefixes[kind]) ? (form.exec(text) ?? []) : [];
    if (encoded === undefined) {
      return kind === 'token' ? false : chosen.has(nameOf(secretHash(text), clientId)) || undefined;
    }
    const bytes = Buffer.from(encoded, 'base64url');
    const key = keys.get(bytes.readUInt16BE());
    const content = bytes.subarray(0, -CHECKSUM_BYTES);
    return key && timingSafeEqual(checksum(key, content, credential), bytes.subarray(-CHECKSUM_BYTES));
  }

  return {
    async hasIssued(text, credential) {
      const verdict = judge(text, credential);
      if (verdict !== undefined || performance.now() - readAt < MAX_AGE_MS) return verdict ?? false;
      reading ??= read().finally(() => {
        reading = undefined;
      });
      await reading;
      return judge(text, credential) ?? false;
    },
  };
}

function nameOf(hash: Uint8Array, clientId: string): string {
  return `${Buffer.from(hash).toString('base64')} ${clientId}`;
}
