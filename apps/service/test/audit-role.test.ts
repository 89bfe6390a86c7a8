import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { migrate } from '../src/database/migrate.ts';
import { openDatabase, type DatabaseUrl } from '../src/database/open-database.ts';
import { apiRoutes, operatorRoutes } from '../src/routes.ts';
import { run, runJson } from './command-line.ts';
import { startService, type TestService } from './service.ts';
import { loadKnown, validRequest } from './valid-request.ts';

const suffix = randomUUID().replaceAll('-', '');
const names = { hr: `hr_${suffix}`, hr_owner: `hr_owner_${suffix}`, hr_service: `hr_service_${suffix}` };

/** The statements of docs/securing.md, with names and passwords of this test. */
async function documentedSql(): Promise<string[]> {
  const page = await readFile(new URL('../../../docs/securing.md', import.meta.url), 'utf8');
  return [...page.matchAll(/```sql\n([^`]+)```/g)].map(([, sql = '']) =>
    sql
      .replaceAll(/\bhr(?:_owner|_service)?\b/g, (name) => names[name as keyof typeof names])
      .replaceAll(/(?:FIRST|SECOND) PASSWORD/g, 'secret'),
  );
}

function urlAs(role: string): DatabaseUrl {
  return `${inject('postgresUrl').replace('postgres:postgres@', `${role}:secret@`)}/${names.hr}` as DatabaseUrl;
}

async function execute(connectionString: string, ...statements: string[]): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    for (const statement of statements) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await client.query(statement);
    }
  } finally {
    await client.end();
  }
}

describe('a service that is not the owner of its tables', () => {
  const superuser = `${inject('postgresUrl')}/postgres`;
  const asOwner = urlAs(names.hr_owner);
  const asService = urlAs(names.hr_service);
  let findEvents: string;
  let service: TestService;

  beforeAll(async () => {
    const [roles = '', grants = '', query = ''] = await documentedSql();
    findEvents = query;
    // A database cannot be created among other statements.
    await execute(superuser, ...roles.split(/(?<=;)/).filter((statement) => statement.trim() !== ''));
    const owner = await openDatabase(asOwner);
    await migrate(owner);
    await owner.query(grants);
    await owner.close();
    service = await startService('postgres', { HR_DATABASE: asService });
  });
  afterAll(async () => {
    await service.stop();
    await execute(
      superuser,
      `drop database ${names.hr} with (force)`,
      `drop role ${names.hr_owner}, ${names.hr_service}`,
    );
  });

  const thisMonth = new Date().toISOString().slice(0, 7);
  const partitions = (): Promise<object[]> =>
    service.database.query(`
      select relname, relowner::regrole::text as owner from pg_class
      where relname like 'audit\\_event%' and relispartition and relkind = 'r' order by 1`);

  test('does everything', async () => {
    // Each changes something, so a later one may no longer find what an earlier one decided on or erased.
    const fine = new Set([200, 404, 409]);
    for (const route of [...apiRoutes, ...operatorRoutes]) {
      // oxlint-disable no-await-in-loop -- one after the other
      const known = await loadKnown(service);
      const { method, path, query, body, headers } = validRequest(route, known);
      const scope = route.scopes.at(-1) ?? 'operator';
      const { status } = await service.send(method, path + query, { scope, body, headers });
      // oxlint-enable no-await-in-loop
      expect([route.id, fine.has(status) || status]).toEqual([route.id, true]);
    }
    const env = { HR_DATABASE: asService };
    expect(await run(['import', '-'], env, '{"kind":"person","id":"p-7"}')).toMatchObject({ code: 0, stderr: '' });
    expect(await run(['migrate'], env)).toMatchObject({ stdout: 'The tables are up to date.\n' });
    expect(await runJson(['audit', 'list', '--operation', 'operatorImportFeed'], env)).not.toEqual([]);
  });

  test('is warned of only where the role of the service owns the tables', async () => {
    const warning = 'The role of HR_DATABASE can drop the audit';
    expect(service.log.join('')).not.toContain(warning);
    const owning = await startService('postgres', { HR_DATABASE: asOwner });
    await owning.stop();
    expect(owning.log.join('')).toContain(warning);
  });

  test('uses what later versions add', async () => {
    await execute(asOwner, 'create table later (id bigint generated always as identity, name text)');
    await service.database.query(`insert into later (name) values ('a'), ('b'); delete from later where id = 1`);
    expect(await service.database.query(`update later set name = 'c' returning name`)).toEqual([{ name: 'c' }]);
    await execute(asOwner, 'drop table later');
  });

  test.each([
    'update audit_event set elements = 0',
    'delete from audit_event',
    'truncate audit_event',
    'drop table audit_event',
    'drop trigger append_only on audit_event',
    'drop trigger append_only on audit_event_later',
    'alter table audit_event_later disable trigger append_only',
    'alter table audit_event drop column actor',
    'drop function refuse_audit_change() cascade',
    'drop table audit_event_earlier',
    'alter table audit_event detach partition audit_event_later',
    `select prune_audit((select min(month) from audit_month))`,
    `create or replace function refuse_audit_change() returns trigger language plpgsql as 'begin return null; end'`,
    'set session_replication_role = replica',
    'delete from migration',
    'create table other ()',
  ])('cannot %s', async (statement) => {
    await expect(service.database.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  test.each(['update audit_event_later set elements = 0', 'delete from audit_event_later'])(
    'cannot %s, though it has rights on partitions',
    async (statement) => {
      await expect(service.database.query(statement)).rejects.toThrow('The audit only takes new events');
    },
  );

  test('says that somebody else has to migrate', async () => {
    await execute(asOwner, 'create table applied as table migration; delete from migration');
    expect(await run(['payments', 'list'], { HR_DATABASE: asService })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'The user of HR_DATABASE may not bring the tables up to date: run migrate as their owner.\n',
    });
    await execute(asOwner, 'insert into migration table applied; drop table applied');
  });

  /** Adds an event of each moment. */
  const addEvents = (moments: readonly string[]): Promise<unknown> =>
    service.database.query(
      `insert into audit_event (id, actor, operation, request_id, access, elements)
      select audit_event_id(at::timestamptz), 'a', 'o', at, 'read', 1 from unnest($1::text[]) as at`,
      [moments],
    );

  test('finds the events of an hour in the table', async () => {
    await addEvents(['2026-01-31T06:59:59.999Z', '2026-01-31T07:00:00Z', '2026-01-31T08:00:00Z']);
    expect(await service.database.query(findEvents)).toMatchObject([
      { at: new Date('2026-01-31T07:00:00Z'), actor: 'a' },
    ]);
  });

  test('adds the months of the audit, which belong to the owner', async () => {
    const before = await partitions();
    await execute(
      asOwner,
      `do $$ begin execute 'drop table ' || (select max(partition::text) from audit_month); end $$`,
    );
    expect(await partitions()).toHaveLength(before.length - 1);
    await service.database.query('select add_coming_audit_months()');
    // A new month may have begun.
    expect(await partitions()).toEqual(expect.arrayContaining(before));
    expect(before).toMatchObject(Array.from({ length: 6 }, () => ({ owner: names.hr_owner })));
  });

  const ids = (where: string): Promise<unknown[]> =>
    service.database.query(`select id from audit_event where ${where}`);

  test('whose owner prunes the audit keeps all newer events', async () => {
    const start = new Date(`${thisMonth}-01T00:00:00Z`).getTime();
    await addEvents([-2000, -1000, 0].map((ms) => new Date(start + ms).toISOString()));
    const isNewer = `id >= audit_event_id('${thisMonth}-01T00:00:00Z')`;
    const [older, newer] = [await ids(`not ${isNewer}`), await ids(isNewer)];
    expect(older.length).toBeGreaterThanOrEqual(2);
    const prune = ['audit', 'prune', '--before', thisMonth, '--yes'];
    const asked = await run(prune.slice(0, -1), { HR_DATABASE: asService });
    expect(asked.stderr).toBe(`This would delete ${older.length} events for good. Add --yes to do it.\n`);
    expect(await run(prune, { HR_DATABASE: asService })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Only the owner of the tables may prune the audit: set HR_DATABASE to that user.\n',
    });
    const pruned = await run(prune, { HR_DATABASE: asOwner });
    expect(pruned.stdout).toBe(`Deleted ${older.length} events.\n`);
    // The pruning is an event, too, and the service may have added others meanwhile.
    const kept = await ids(isNewer);
    expect(kept).toEqual(expect.arrayContaining(newer));
    expect(kept.length).toBeGreaterThan(newer.length);
    expect(await ids(`not ${isNewer}`)).toEqual([]);
    await expect(execute(asOwner, 'delete from audit_event')).rejects.toThrow('The audit only takes new events');
    const replica = 'set session_replication_role = replica; delete from audit_event';
    const asSuperuser = superuser.replace(/postgres$/, names.hr);
    await expect(execute(asSuperuser, replica)).rejects.toThrow('The audit only takes new events');
  });
});
