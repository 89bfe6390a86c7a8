import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  addCredentialKey,
  createCredentialKeys,
  deleteUnusedKeys,
  type CredentialKeys,
} from '../src/clients/credential-keys.ts';
import { createClient } from '../src/clients/clients.ts';
import type { Database } from '../src/database/database.ts';
import { drivers } from './drivers.ts';
import { ownDatabase } from './own-database.ts';
import { inventToken } from './oauth-form.ts';

const HOUR_MS = 3_600_000;
const token = { kind: 'token' } as const;
const keyIdOf = (text: string): number => Buffer.from(text.slice(4), 'base64url').readUInt16BE();
const secretOf = (clientId: string) => ({ kind: 'secret', clientId }) as const;

describe.each(drivers)('the keys of credentials on %s', (driver) => {
  let database: Database;
  let remove: () => Promise<void>;
  let keys: CredentialKeys;
  let passedMs = 0;

  beforeAll(async () => {
    ({ database, remove } = await ownDatabase(driver));
  });
  beforeEach(() => {
    keys = createCredentialKeys(database);
    vi.spyOn(performance, 'now').mockImplementation(() => passedMs);
  });
  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => remove());

  /** Lets time pass, for the database and for processes. */
  async function pass(ms: number): Promise<void> {
    passedMs += ms;
    const earlier = 'update credential_key set issues_from = issues_from - make_interval(secs => $1)';
    await database.query(earlier, [ms / 1000]);
  }
  const newToken = async (by = keys): Promise<string> => (await by.issue(token)).text;
  const storedIds = async (): Promise<number[]> =>
    (await database.query<{ id: number }>('select id from credential_key order by id')).map(({ id }) => id);

  test('tell what was issued, for whom and as what, from any other text, and query nothing for it', async () => {
    const { text: secret } = await keys.issue(secretOf('ada'));
    const query = vi.spyOn(database, 'query');
    const issued = { secret, token: await newToken() };
    expect(await keys.hasIssued(issued.token, token)).toBe(true);
    expect(await keys.hasIssued(issued.secret, secretOf('ada'))).toBe(true);
    expect(await keys.hasIssued(issued.secret, secretOf('bob'))).toBe(false);
    expect(await keys.hasIssued(issued.secret.replace('hrs_', 'hrt_'), token)).toBe(false);
    expect(await keys.hasIssued(issued.token.replace('hrt_', 'hrs_'), secretOf('ada'))).toBe(false);
    const place = fc.nat(issued.token.length);
    const characters = fc.oneof(fc.stringMatching(/^[\w-]?$/), fc.string({ unit: 'grapheme', maxLength: 2 }));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('token', 'secret'), place, characters, async (kind, at, other) => {
        const changed = issued[kind].slice(0, at) + other + issued[kind].slice(at + 1);
        fc.pre(changed !== issued[kind]);
        expect(await keys.hasIssued(changed, kind === 'token' ? token : secretOf('ada'))).toBe(false);
      }),
      { numRuns: 500 },
    );
    expect(query).not.toHaveBeenCalled();
  });

  test('are read again for unknown ones every half minute at most, however many there are', async () => {
    await keys.hasIssued(inventToken(), token);
    const query = vi.spyOn(database, 'query');
    const guess = (): Promise<boolean[]> =>
      Promise.all(Array.from({ length: 100 }, () => keys.hasIssued(inventToken(), token)));
    await guess();
    expect(query).not.toHaveBeenCalled();
    passedMs += 31_000;
    await guess();
    expect(query).toHaveBeenCalledTimes(1);
  });

  test('change for all processes, whichever has read them when, and none refuses what another one issued', async () => {
    const step = fc.oneof(
      { weight: 2, arbitrary: fc.constant(0) },
      fc.constantFrom(1, 29_999, 30_001, 59_999, 61_000),
      fc.constantFrom('rotate', 'issue', 'guess') as fc.Arbitrary<string | number>,
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, fc.nat(2)), { maxLength: 30 }), async (steps) => {
        const processes = Array.from({ length: 3 }, () => createCredentialKeys(database));
        const issued: string[] = [];
        // oxlint-disable no-await-in-loop -- one after the other
        for (const [does, at] of steps) {
          const process = processes[at] as CredentialKeys;
          if (typeof does === 'number') await pass(does);
          else if (does === 'rotate') await addCredentialKey(database);
          else if (does === 'issue') issued.push(await newToken(process));
          else await process.hasIssued(inventToken(), token);
          const verdicts = await Promise.all(issued.slice(-3).map((text) => process.hasIssued(text, token)));
          expect(verdicts).not.toContain(false);
        }
        const all = processes.flatMap((each) => issued.map((text) => each.hasIssued(text, token)));
        expect(await Promise.all(all)).not.toContain(false);
        // oxlint-enable no-await-in-loop
      }),
      { numRuns: 30 },
    );
  });

  test('issue after a minute, and are deleted a day after the last valid secret has another one', async () => {
    await pass(60_000);
    const client = await createClient(database, { name: 'x', scope: 'api:use' });
    const first = keyIdOf(client.clientSecret);
    const { id } = (await addCredentialKey(database)) as { id: number };
    await pass(59_000);
    expect(keyIdOf(await newToken())).toBe(first);
    await pass(2000);
    expect(keyIdOf(await newToken())).toBe(id);
    await pass(25 * HOUR_MS);
    await deleteUnusedKeys(database);
    expect(await storedIds()).toEqual([first, id]);
    await database.query('update client_secret set expires_at = now()');
    await deleteUnusedKeys(database);
    expect(await storedIds()).toEqual([id]);
    keys = createCredentialKeys(database);
    expect(await keys.hasIssued(client.clientSecret, secretOf(client.clientId))).toBe(false);
  });

  test('issue by the first one after the clock of the database was set back', async () => {
    const [first] = await storedIds();
    await addCredentialKey(database);
    await database.query(`update credential_key set issues_from = issues_from + interval '1 day'`);
    const issued = await newToken();
    expect(keyIdOf(issued)).toBe(first);
    expect(await createCredentialKeys(database).hasIssued(issued, token)).toBe(true);
    await database.query(`update credential_key set issues_from = issues_from - interval '1 day'`);
  });

  test('know a secret that was chosen, of its client alone', async () => {
    const clientSecret = 'a chosen secret';
    await keys.hasIssued(clientSecret, secretOf('demo'));
    await createClient(database, { name: 'x', scope: 'api:use', clientId: 'demo', clientSecret });
    keys = createCredentialKeys(database);
    expect(await keys.hasIssued(clientSecret, secretOf('demo'))).toBe(true);
    expect(await keys.hasIssued(clientSecret, secretOf('other'))).toBe(false);
    expect(await keys.hasIssued('another secret', secretOf('demo'))).toBe(false);
  });
});
