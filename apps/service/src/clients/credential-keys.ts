import { createHmac, createSecretKey, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Queries } from '../database/database.ts';
import { secretHash, secretIsValid } from './secrets.ts';

/** What the service issues: an access token, or a secret of a client. It signs cursors with the same keys. */
type Credential = { readonly kind: 'token' } | { readonly kind: 'secret'; readonly clientId: string };

// Scanners for secrets in code and logs recognise the prefixes.
const prefixes = { secret: 'hrs_', token: 'hrt_' };
/** Behind the prefix: the id of a key, random bits and a checksum by that key, together in base64url. */
const KEY_ID_BYTES = 2;
const RANDOM_BYTES = 32;
const CHECKSUM_BYTES = 8;
// No character has spare bits, so each change of one changes the bytes.
const form = /^(hr[st]_)([\w-]{56})$/;

/** Shorter than the minute after which a new key issues, so that a key which is unknown has issued nothing. */
const MAX_AGE_MS = 30_000;

const SIGNATURE_BYTES = 16;

function signature(key: KeyObject, content: Buffer, clientId: string): Buffer {
  const hmac = createHmac('sha256', key).update('cursor').update(content).update(clientId);
  return hmac.digest().subarray(0, SIGNATURE_BYTES);
}

function checksum(key: KeyObject, content: Buffer, credential: Credential): Buffer {
  const hmac = createHmac('sha256', key).update(prefixes[credential.kind]).update(content);
  if (credential.kind === 'secret') hmac.update(credential.clientId);
  return hmac.digest().subarray(0, CHECKSUM_BYTES);
}

/** Adds a key, which issues from a minute later on, and gives it as operators see it. */
export async function addCredentialKey(queries: Queries): Promise<object | undefined> {
  const [added] = await queries.query<object>(
    `insert into credential_key default values returning id, to_json(issues_from) #>> '{}' as "issuesFrom"`,
  );
  return added;
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

/**
 * Issues secrets and tokens, and tells guesses from those that a service on the same database has issued. All calls
 * together need at most one query in half a minute, for keys that are new.
 */
export type CredentialKeys = ReturnType<typeof createCredentialKeys>;

interface Key {
  /** A digest by bytes takes five times as long. */
  readonly key: KeyObject;
  /** In the milliseconds of `performance.now()`. */
  readonly issuesFrom: number;
}

export function createCredentialKeys(queries: Queries) {
  /** The newest first. */
  let keys = new Map<number, Key>();
  /** Secrets without a checksum, by client and hash. */
  let chosen = new Set<string>();
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const began = performance.now();
    const rows = await queries.query<{ id: number | null; bytes: Uint8Array; clientId: string; issuesInMs: number }>(
      `select id, key as bytes, '' as "clientId",
        extract(epoch from issues_from - clock_timestamp())::float8 * 1000 as "issuesInMs" from credential_key
      union all select null, secret_hash, client_id, 0 from client_secret where key_id is null order by id desc`,
    );
    // The query took a while: a key rather begins late, as other processes may not know one that begins early.
    const ended = performance.now();
    keys = new Map(
      rows.flatMap(({ id, bytes, issuesInMs }) =>
        id === null ? [] : [[id, { key: createSecretKey(bytes), issuesFrom: ended + issuesInMs }] as const],
      ),
    );
    chosen = new Set(rows.flatMap(({ id, bytes, clientId }) => (id === null ? [nameOf(bytes, clientId)] : [])));
    readAt = began;
  }

  async function readIfOld(): Promise<void> {
    if (performance.now() - readAt < MAX_AGE_MS) return;
    reading ??= read().finally(() => (reading = undefined));
    await reading;
  }

  /** `undefined` where another key or secret may be stored now. */
  function judge(text: string, credential: Credential): boolean | undefined {
    const [, prefix, encoded = ''] = form.exec(text) ?? [];
    if (prefix === prefixes[credential.kind]) {
      const bytes = Buffer.from(encoded, 'base64url');
      const key = keys.get(bytes.readUInt16BE())?.key;
      const content = bytes.subarray(0, -CHECKSUM_BYTES);
      const isSame = key && timingSafeEqual(checksum(key, content, credential), bytes.subarray(-CHECKSUM_BYTES));
      return isSame || undefined;
    }
    if (credential.kind === 'token') return false;
    return chosen.has(nameOf(secretHash(text), credential.clientId)) || undefined;
  }

  async function currentKey(): Promise<[id: number, key: KeyObject]> {
    await readIfOld();
    const now = performance.now();
    const all = [...keys];
    // After a clock was set back, even the first key may be one of the future.
    const [id, { key }] = (all.find(([, { issuesFrom }]) => issuesFrom <= now) ?? all.at(-1)) as [number, Key];
    return [id, key];
  }

  return {
    /** Issues a credential, which the caller stores. */
    async issue(credential: Credential): Promise<{ readonly text: string; readonly keyId: number }> {
      const [keyId, key] = await currentKey();
      const content = randomBytes(KEY_ID_BYTES + RANDOM_BYTES);
      content.writeUInt16BE(keyId);
      const bytes = Buffer.concat([content, checksum(key, content, credential)]);
      return { text: prefixes[credential.kind] + bytes.toString('base64url'), keyId };
    },
    /** A text for a client, which {@link opened} reads. */
    async signed(text: string, clientId: string): Promise<string> {
      const [keyId, key] = await currentKey();
      const content = Buffer.concat([Buffer.alloc(KEY_ID_BYTES), Buffer.from(text, 'latin1')]);
      content.writeUInt16BE(keyId);
      return Buffer.concat([content, signature(key, content, clientId)]).toString('base64url');
    },
    /** What was {@link signed} for a client; `unknown-key` if its key is gone, and `undefined` if it never was. */
    async opened(encoded: string, clientId: string): Promise<{ readonly text: string } | 'unknown-key' | undefined> {
      const bytes = Buffer.from(encoded, 'base64url');
      if (bytes.length < KEY_ID_BYTES + SIGNATURE_BYTES || bytes.toString('base64url') !== encoded) return undefined;
      await readIfOld();
      const keyId = bytes.readUInt16BE();
      const key = keys.get(keyId)?.key;
      // Keys are numbered, and old ones are deleted.
      if (!key) return keyId > 0 && keyId < Math.max(...keys.keys()) ? 'unknown-key' : undefined;
      const content = bytes.subarray(0, -SIGNATURE_BYTES);
      const isSame = timingSafeEqual(signature(key, content, clientId), bytes.subarray(-SIGNATURE_BYTES));
      return isSame ? { text: content.toString('latin1', KEY_ID_BYTES) } : undefined;
    },
    /** Whether a text is a credential that was issued, be it still valid or not. */
    async hasIssued(text: string, credential: Credential): Promise<boolean> {
      const verdict = judge(text, credential);
      if (verdict !== undefined) return verdict;
      await readIfOld();
      return judge(text, credential) ?? false;
    },
  };
}

function nameOf(hash: Uint8Array, clientId: string): string {
  return `${Buffer.from(hash).toString('base64')} ${clientId}`;
}
