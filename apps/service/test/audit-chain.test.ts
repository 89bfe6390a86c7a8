import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { chainAll, chainEvents } from '../src/audit/audit-chain.ts';
import { recordEvents, type AuditEvent } from '../src/audit/audit-events.ts';
import { pruneAudit } from '../src/audit/audit-months.ts';
import { uuidV7 } from '../src/audit/uuid-v7.ts';
import { verifyAudit } from '../src/audit/verify-audit.ts';
import type { Database } from '../src/database/database.ts';
import { openDatabase, type DatabaseUrl } from '../src/database/open-database.ts';
import { addressOf, run, runJson, start } from './command-line.ts';
import { drivers, emptyDatabase, repetitions, type Driver } from './drivers.ts';
import { ownDatabase } from './own-database.ts';

const NEW_YEAR = Date.UTC(2020, 0);
const JUNE = Date.UTC(2020, 5);

const read = (facts: Partial<AuditEvent> = {}): AuditEvent => ({
  id: uuidV7(JUNE),
  actor: 'a',
  operation: 'o',
  requestId: 'r',
  access: 'read',
  elements: 1,
  ...facts,
});

/** The id of an event in the order of writing. */
const rowOf = (index: number): string => `(select id from saved order by position offset ${index} limit 1)`;

/** What the owner of the tables can do. */
async function withoutTriggers(database: Database, statements: string): Promise<void> {
  await database.query(`
    do $$ declare part regclass; begin
      for part in select inhrelid::regclass from pg_inherits where inhparent = 'audit_event'::regclass
        union all select 'audit_event'::regclass union all select 'audit_block'::regclass loop
        execute format('alter table %s disable trigger append_only', part);
      end loop;
    end $$;
    ${statements}`);
}

describe.each(drivers)('the chain of the audit on %s', (driver) => {
  let database: Database;
  let remove: () => Promise<void>;
  let url: DatabaseUrl;

  beforeEach(async () => {
    ({ database, remove, url } = await ownDatabase(driver));
  });
  afterEach(() => remove());

  const record = (events: readonly AuditEvent[]): Promise<number> => recordEvents(database, events);
  const blocks = (): Promise<{ month: string; events: number }[]> =>
    database.query('select month, events from audit_block order by number');

  /** Adds events of some kinds, some of which differ only by null and empty texts. */
  async function fill(): Promise<void> {
    const texts = [undefined, '', 'NULL', 'null', '{}', '","', 'a\nb', '\\', 'ä😀'];
    await record([
      ...texts.map((personId) => read({ personId })),
      ...texts.map((purpose) => read({ purpose, actingPerson: 'local#kim' })),
      read({ access: 'refused', status: 429 }),
      read({ access: 'change', fields: ['a', 'b,c'] }),
      read({ id: uuidV7(NEW_YEAR - 1) }),
      read({ id: uuidV7(NEW_YEAR) }),
      read({ id: uuidV7(NEW_YEAR - 1) }),
    ]);
  }

  test('has every event once, in blocks of a month', async () => {
    await fill();
    await chainAll(database);
    await record(Array.from({ length: 2500 }, () => read({ id: uuidV7(NEW_YEAR) })));
    expect(await verifyAudit(database)).toMatchObject({ intact: 23, unchained: 2500, faults: [] });
    await chainAll(database);
    expect(await verifyAudit(database)).toMatchObject({ intact: 2523, unchained: 0, faults: [], moreFaults: 0 });
    const all = await blocks();
    const sum = (month: string): number[] => all.filter((one) => one.month === month).map(({ events }) => events);
    expect(sum('2019-12')).toEqual([2]);
    expect(sum('2020-01')).toEqual([1, 1000, 1000, 500]);
    await chainAll(database);
    expect(await blocks()).toEqual(all);
  });

  test('shows any change of any event, any removal and any addition', async () => {
    await fill();
    await chainAll(database);
    await withoutTriggers(database, 'create table saved as table audit_event');
    const columns = await database.query<{ name: string; type: string }>(`
      select column_name as name, data_type as type from information_schema.columns where table_name = 'audit_event'`);
    expect(columns.length).toBeGreaterThanOrEqual(14);
    const values: Record<string, string> = {
      uuid: `(overlay(id::text placing 'f' from 36))::uuid`,
      bigint: 'position + 1000000',
      integer: 'elements + 1',
      smallint: `coalesce(status, 0) + 1`,
      ARRAY: `array_append(fields, '')`,
    };
    const row = fc.nat({ max: 22 });
    const tampering = fc.oneof(
      {
        weight: 6,
        arbitrary: fc
          .tuple(row, fc.constantFrom(...columns), fc.constantFrom("''", 'null', "'x'"))
          .map(
            ([index, { name, type }, text]) =>
              `update audit_event set ${name} = ${values[type] ?? text} where id = ${rowOf(index)}`,
          ),
      },
      row.map((index) => `delete from audit_event where id = ${rowOf(index)}`),
      // With the position of another one, between two, or before all.
      fc.tuple(row, fc.constantFrom('position', '-1', '0')).map(
        ([index, position]) => `insert into audit_event (id, actor, operation, request_id, access, elements, position)
          select gen_random_uuid(), actor, operation, request_id, 'read', elements, ${position} from saved where id = ${rowOf(index)}`,
      ),
      fc.tuple(row, row, fc.constantFrom('person_id', 'purpose', 'position', 'elements')).map(
        ([one, other, name]) => `update audit_event set ${name} = other.${name}
          from saved as other where (audit_event.id, other.id) in
            ((${rowOf(one)}, ${rowOf(other)}), (${rowOf(other)}, ${rowOf(one)}))`,
      ),
      fc
        .constantFrom('events = events + 1', `hash = '\\x00'`, `month = '2020-01'`, 'last_position = last_position - 1')
        .map((change) => `update audit_block set ${change} where number = 2`),
      fc.constant('delete from audit_block where number = 2'),
    );
    const facts = async (): Promise<string> => {
      const [all] = await database.query<{ facts: string }>(`select concat(
        (select json_agg(event order by position, id) from audit_event as event),
        (select json_agg(block order by number) from audit_block as block)) as facts`);
      return all?.facts ?? '';
    };
    await database.query('create table saved_blocks as table audit_block');
    const intact = await facts();
    await fc.assert(
      fc.asyncProperty(tampering, async (statement) => {
        // A constraint may not let it through.
        const refusal = await database.query(statement).catch((error: { code: string }) => error.code.slice(0, 2));
        expect(['23', []]).toContainEqual(refusal);
        const { faults } = await verifyAudit(database);
        expect([statement, faults.length > 0]).toEqual([statement, (await facts()) !== intact]);
        await database.query(`delete from audit_event; insert into audit_event select * from saved;
          delete from audit_block; insert into audit_block select * from saved_blocks`);
      }),
      { numRuns: repetitions(150, driver) },
    );
  });

  test('says where events are missing or were added', async () => {
    const events = Array.from({ length: 3000 }, () => read());
    await record(events);
    await chainAll(database);
    const ids = events.map(({ id }) => id as string);
    await withoutTriggers(
      database,
      `delete from audit_event where id in ('${ids[1500]}', '${ids[1999]}');
      update audit_event set actor = 'b' where id = '${ids[2500]}'`,
    );
    const month = '2020-06';
    expect((await verifyAudit(database)).faults).toEqual([
      { kind: 'missing', month, block: 2, chained: 1000, found: 998, after: ids[999], before: ids[2000] },
      { kind: 'changed', month, block: 3, chained: 1000, found: 1000, after: ids[1998] },
    ]);
  });

  test('does not depend on settings of the database', async () => {
    await fill();
    await chainAll(database);
    const before = await verifyAudit(database);
    const settings = {
      timezone: 'Asia/Tokyo',
      datestyle: 'German',
      bytea_output: 'escape',
      array_nulls: 'off',
      default_transaction_isolation: 'serializable',
    };
    const set = Object.entries(settings).map(([name, value]) => `set ${name} = '${value}'`);
    if (driver === 'pglite') await database.query(set.join(';'));
    const statements = set.map(
      (statement) => `execute format('alter database %I ${statement.replaceAll("'", "''")}', current_database())`,
    );
    await database.query(`do $$ begin ${statements.join(';')}; end $$`);
    // Its connections have the settings from their start on.
    const later = driver === 'pglite' ? database : await openDatabase(url);
    onTestFinished(() => (later === database ? undefined : later.close()));
    expect(await later.query('show default_transaction_isolation')).toEqual([
      { default_transaction_isolation: 'serializable' },
    ]);
    expect(await verifyAudit(later)).toEqual(before);
    await recordEvents(later, [read()]);
    await chainAll(later);
    expect(await verifyAudit(later)).toMatchObject({ intact: before.intact + 1, faults: [] });
  });

  test('stays when months are added and pruned, and shows when one is dropped otherwise', async () => {
    const [months] = await database.query<{ first: string; later: string }>(
      `select min(month)::text as first, (max(month) + interval '1 month')::date::text as later from audit_month`,
    );
    const [first, later] = [Date.parse(months?.first ?? ''), Date.parse(months?.later ?? '')];
    await record([first - 1000, first - 500, first, later].map((moment) => read({ id: uuidV7(moment) })));
    await chainAll(database);
    await database.query('select add_audit_months($1)', [months?.later]);
    expect(await verifyAudit(database)).toMatchObject({ intact: 4, faults: [] });

    const pruned = { before: months?.first.slice(0, 7), events: 2 };
    expect(await pruneAudit(database, pruned.before ?? '')).toBe(2);
    expect(await verifyAudit(database)).toMatchObject({ intact: 2, unchained: 1, faults: [], pruned });
    await record([read({ id: uuidV7(first - 700) })]);
    await chainAll(database);
    expect(await verifyAudit(database)).toMatchObject({ intact: 4, unchained: 0, faults: [], pruned });

    await database.query(`drop table audit_event_later; select create_audit_partition('audit_event_later',
      (select (max(month) + interval '1 month')::date from audit_month), null)`);
    expect(await verifyAudit(database)).toMatchObject({ intact: 4, faults: [] });
    const dropped = `audit_event_${(months?.later ?? '').slice(0, 7).replace('-', '_')}`;
    await database.query(`drop table ${dropped}`);
    const month = months?.later.slice(0, 7);
    expect(await verifyAudit(database)).toMatchObject({
      intact: 3,
      faults: [{ kind: 'missing', month, chained: 1, found: 0 }],
    });
  });
});

describe('the chain of the audit beside writers', () => {
  const WRITERS = 8;
  const TRANSACTIONS = 40;

  test('has every event of concurrent transactions, whenever they end', async () => {
    const { database, url, remove } = await ownDatabase('postgres');
    onTestFinished(remove);
    let written = 0;
    const done = new AbortController();
    async function write(seed: number): Promise<void> {
      const client = new Client({ connectionString: url });
      await client.connect();
      for (let index = 0; index < TRANSACTIONS; index++) {
        const kind = (seed + index) % 5;
        const count = 1 + ((seed * 7 + index * 3) % 30);
        // oxlint-disable no-await-in-loop -- one after the other
        await client.query('begin');
        const events = Array.from({ length: count }, () => read({ id: uuidV7(NEW_YEAR + (index % 2) - 1) }));
        await recordEvents(
          { query: async (text, values) => (await client.query(text, values as unknown[])).rows },
          events,
        );
        // Others commit meanwhile what they have begun later.
        if (kind === 1) await setTimeout(100);
        if (kind === 2) await client.query('savepoint s');
        await client.query(kind === 3 ? 'rollback' : 'commit');
        // oxlint-enable no-await-in-loop
        if (kind !== 3) written += count;
      }
      await client.end();
    }
    async function chain(): Promise<void> {
      const own = await openDatabase(url);
      // oxlint-disable no-await-in-loop -- one after the other
      while (!done.signal.aborted) {
        await chainEvents(own);
        expect((await verifyAudit(own)).faults).toEqual([]);
        await setTimeout(50);
      }
      // oxlint-enable no-await-in-loop
      await own.close();
    }
    const chaining = Promise.all([chain(), chain()]);
    await Promise.all(Array.from({ length: WRITERS }, (_, seed) => write(seed)));
    done.abort();
    await chaining;
    await chainAll(database);
    expect(await verifyAudit(database)).toMatchObject({ intact: written, unchained: 0, faults: [] });
  });

  test('waits for a transaction that is not at its end, and nobody waits for it', async () => {
    const { database, url, remove } = await ownDatabase('postgres');
    onTestFinished(remove);
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query('begin');
    const early = read();
    await recordEvents({ query: async (text, values) => (await client.query(text, values as unknown[])).rows }, [
      early,
    ]);
    await recordEvents(database, [read()]);
    const chaining = chainEvents(database);
    await recordEvents(database, [read()]);
    // Another one leaves it alone, or gives up.
    expect(await chainEvents(database)).toBe(false);
    expect(await database.query('select from audit_block')).toEqual([]);
    await client.query('commit');
    await client.end();
    await chaining;
    await chainAll(database);
    expect(await verifyAudit(database)).toMatchObject({ intact: 3, unchained: 0, faults: [] });
  });

  test('survives the end of its process', async () => {
    const { database, url, remove } = await ownDatabase('postgres');
    onTestFinished(remove);
    const events = 40_000;
    const insert = `insert into audit_event (id, actor, operation, request_id, access, elements)
      select audit_event_id('2020-06-01'::timestamptz + n * interval '1 ms'), 'a', 'o', 'r', 'read', 1
      from generate_series(1, ${events}) as n`;
    await database.transaction((transaction) => transaction.query(insert), { long: true });
    const child = start(['serve'], { HR_DATABASE: url, HR_PORT: '0' });
    await expect.poll(() => database.query('select from audit_block limit 1'), { interval: 10 }).toHaveLength(1);
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    expect((await verifyAudit(database)).faults).toEqual([]);
    await chainAll(database);
    expect(await verifyAudit(database)).toMatchObject({ intact: events, unchained: 0, faults: [] });
  });
});

describe.each(drivers)('audit seal and audit verify on %s', (driver: Driver) => {
  let folder: string;
  let env: Record<string, string>;
  let remove: () => Promise<void>;
  const file = (name: string): string => join(folder, name);

  async function newKey(name: string): Promise<void> {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    await writeFile(file(`${name}.key`), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    await writeFile(file(`${name}.pub`), publicKey.export({ type: 'spki', format: 'pem' }));
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hr-seals-'));
    const empty = await emptyDatabase(driver);
    env = { HR_DATABASE: empty.url, HR_PORT: '0' };
    remove = empty.remove;
    await newKey('seal');
  });
  afterEach(async () => {
    await remove();
    await rm(folder, { recursive: true });
  });

  async function tamper(statements: string): Promise<void> {
    const database = await openDatabase(env['HR_DATABASE'] as DatabaseUrl);
    await withoutTriggers(database, statements);
    await database.close();
  }
  async function addEvents(count: number): Promise<void> {
    const database = await openDatabase(env['HR_DATABASE'] as DatabaseUrl);
    await recordEvents(
      database,
      Array.from({ length: count }, () => read()),
    );
    await database.close();
  }
  const seal = () => run(['audit', 'seal', '--key', file('seal.key')], env);
  const verify = (name = 'seal') => ['audit', 'verify', '--seals', file('seals'), '--key', file(`${name}.pub`)];

  test('find that the chain was made anew', async () => {
    expect(await seal()).toMatchObject({ code: 1, stderr: 'There is nothing to seal yet.\n' });
    await addEvents(3);
    const first = await seal();
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    await addEvents(2);
    await writeFile(file('seals'), `${first.stdout}${(await seal()).stdout}\n`);
    expect(await run(verify(), env)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('2 of 2 seals fit.\n'),
    });
    expect(await runJson(verify(), env)).toMatchObject({ seals: 2, sealFaults: [], faults: [] });

    // What came after the first seal.
    await tamper(`delete from audit_event where position = 7; delete from audit_block where number > 2`);
    const rebuilt = await run(verify(), env);
    expect(rebuilt).toMatchObject({ code: 1, stderr: 'The audit is not intact.\n' });
    expect(rebuilt.stdout).toMatch(/^1 of 2 seals fit\.\nSeal 2 of \S+: block \d is not the one that was sealed/m);
    // Without the seals, nothing shows it.
    expect((await run(['audit', 'verify'], env)).code).toBe(0);
  });

  test('find events that were removed, and say where', async () => {
    await addEvents(3);
    await seal();
    await tamper('delete from audit_event where position = 2');
    const { code, stdout } = await run(['audit', 'verify'], env);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^\d{4}-\d\d, block 1:.* 1 of 3 events are missing\.$/m);
  });

  test('take only keys and seals that are sound', async () => {
    await addEvents(1);
    await newKey('other');
    await writeFile(file('seals'), (await seal()).stdout);
    const other = await run(verify('other'), env);
    expect(other).toMatchObject({ code: 1, stdout: expect.stringContaining('Seal 1 is not signed with this key.') });
    const failures: [args: string[], stderr: RegExp][] = [
      [['verify', '--seals', file('seals')], /^--seals and --key belong together/],
      [['verify', '--seals', file('none'), '--key', file('seal.pub')], /^--seals: .+ cannot be read/],
      [['verify', '--seals', file('seals'), '--key', file('seals')], /^--key: .+ has no Ed25519 key/],
      [['seal', '--key', file('seal.pub')], /^--key: .+ has no Ed25519 key/],
      [['seal', '--key', file('none')], /^--key: .+ cannot be read/],
    ];
    await chmod(file('seal.pub'), 0o600);
    for (const [args, stderr] of failures) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await run(['audit', ...args], env)).toMatchObject({ code: 2, stderr: expect.stringMatching(stderr) });
    }
    await chmod(file('seal.key'), 0o640);
    expect(await seal()).toMatchObject({ code: 2, stderr: expect.stringContaining('Run: chmod 600') });
  });

  test('work while a service holds the database', async () => {
    const child = start(['serve'], env);
    await addressOf(child);
    const created = await run(['clients', 'create', '--name', 'x'], env);
    expect(created.code).toBe(0);
    await writeFile(file('seals'), (await seal()).stdout);
    expect(await runJson(verify(), env)).toMatchObject({ seals: 1, sealFaults: [], faults: [] });
  });
});
