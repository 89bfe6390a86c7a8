import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, type DatabaseUrl } from '../src/database/open-database.ts';
import type { ListedEvent } from './audited.ts';
import { addressOf, run, runJson, start } from './command-line.ts';
import { anyDriver, emptyDatabase, noTimeLimits } from './drivers.ts';

/** More than the buffers between a service, the command and whoever reads its output hold. */
const EVENTS = 5000;

describe.each(anyDriver)('audit list on %s', (driver) => {
  let env: Record<string, string>;

  beforeAll(async () => {
    const empty = await emptyDatabase(driver);
    env = { HR_DATABASE: empty.url, HR_PORT: '0' };
    const database = await openDatabase(empty.url);
    await database.query(`
      insert into audit_event (id, actor, operation, request_id, access, person_id, payroll_contract_id, object_id, elements, status)
      select audit_event_id(timestamptz '2021-01-01T00:00Z' + n * interval '1 second'), 'hr-1', 'listAbsences', 'r-' || n,
        case when n = 4 then 'refused' else 'read' end,
        'p-' || n, case when n = 2 then 'c-2' end, case when n = 3 then E'o-\\t3' end, n, case when n = 4 then 429 end
      from generate_series(1, ${EVENTS}) as n`);
    await database.close();
    return empty.remove;
  });

  test('prints a table', async () => {
    const { stdout } = await run(['audit', 'list', '--until', '2021-01-01T00:00:05Z'], env);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      [
        'MOMENT (UTC)',
        'ACTOR',
        'ACTING PERSON',
        'PURPOSE',
        'ACCESS',
        'OPERATION',
        'COUNT',
        'PERSON',
        'CONTRACT',
        'OBJECT',
        'REQUEST',
      ],
      ['2021-01-01 00:00:01', 'hr-1', 'read', 'listAbsences', '1', 'p-1', 'r-1'],
      ['2021-01-01 00:00:02', 'hr-1', 'read', 'listAbsences', '2', 'p-2', 'c-2', 'r-2'],
      ['2021-01-01 00:00:03', 'hr-1', 'read', 'listAbsences', '3', 'p-3', 'o-3', 'r-3'],
      ['2021-01-01 00:00:04', 'hr-1', 'refused 429', 'listAbsences', '4', 'p-4', 'r-4'],
      [''],
    ]);
    expect((await run(['audit', 'list', '--actor', 'nobody'], env)).stdout).toBe('There are no such events.\n');
  });

  test.each([
    ['--person p-7', [7]],
    ['--contract c-2', [2]],
    ['--object o-\t3', [3]],
    ['--request r-9 --actor hr-1 --operation listAbsences --access read', [9]],
    ['--access refused', [4]],
    ['--since 2021-01-01T00:00:04Z --until 2021-01-01T01:00:06+01:00', [4, 5]],
    [`--until 2021-01-01 --person p-${EVENTS}`, [EVENTS]],
    ['--until 2021-01-01 --last 2', [EVENTS - 1, EVENTS]],
  ])('%j finds the events %j', async (options, elements) => {
    const { code, stdout, stderr } = await run(['audit', 'list', '--json', ...options.split(' ')], env);
    expect([code, stderr]).toEqual([0, '']);
    expect((JSON.parse(stdout) as ListedEvent[]).map((event) => event.elements)).toEqual(elements);
  });

  test.each([
    ['list --access write', /Allowed choices are read, change, refused/],
    ['list --last many', /^\/last must be a whole number from 1 to 1000\.\n$/],
    ['prune --before 2026-13', /^--before must be a month such as 2026-01, and not after the current one\.\n$/],
    ['prune --before 2026-01-01 --yes', /must be a month/],
    ['prune --before 2999-01 --yes', /not after the current one/],
  ])('audit %s is refused', async (args, sentence) => {
    const { code, stdout, stderr } = await run(['audit', ...args.split(' ')], env);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(sentence);
  });

  test('prints all of a long list, also to one who reads slowly, and ends for one who has enough', async () => {
    const all = start(['audit', 'list', '--json', '--actor', 'hr-1'], env);
    await once(all.stdout, 'readable');
    expect(JSON.parse(await text(all.stdout))).toHaveLength(EVENTS);
    const some = start(['audit', 'list', '--json', '--actor', 'hr-1'], env);
    await once(some.stdout, 'readable');
    some.stdout.destroy();
    expect(await once(some, 'exit')).toEqual([0, null]);
  });

  const prune = ['audit', 'prune', '--before', new Date().toISOString().slice(0, 7)];

  test.runIf(driver === 'postgres')('prune waits for others for a moment only', async ({ skip }) => {
    skip(...noTimeLimits);
    const database = await openDatabase(env['HR_DATABASE'] as DatabaseUrl);
    const pruned = await database.transaction(async (transaction) => {
      await transaction.query('select from audit_event limit 1');
      return run([...prune, '--yes'], env);
    });
    await database.close();
    expect(pruned).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Others use the audit just now, such as a backup, so nothing was deleted: try again later.\n',
    });
  });

  test.each([
    // Before the first month, there is nothing that could be dropped as a whole.
    ['2022-01', 0],
    [prune[3] ?? '', EVENTS],
  ])('prune before %s asks first', async (month, events) => {
    const stderr = `This would delete ${events} events for good. Add --yes to do it.\n`;
    expect(await run(['audit', 'prune', '--before', month], env)).toEqual({ code: 2, stdout: '', stderr });
  });

  test('prune deletes with --yes, and the audit says so', async () => {
    const pruned = await run([...prune, '--yes', '--json'], env);
    expect(pruned).toEqual({ code: 0, stdout: `{"events":${EVENTS}}\n`, stderr: '' });
    expect(await run([...prune, '--yes'], env)).toMatchObject({ code: 0, stdout: 'Deleted 0 events.\n' });
    const listed = await runJson(['audit', 'list', '--operation', 'pruneAudit'], env);
    expect(listed).toMatchObject([{ actor: 'command line', access: 'change', elements: EVENTS }]);
  });
});

test('audit list of a running service tells when it breaks off', async () => {
  const { url, remove } = await emptyDatabase('pglite');
  const database = await openDatabase(url);
  await database.query(`
    insert into audit_event (id, actor, operation, request_id, access, elements)
    select audit_event_id(now() + n * interval '1 ms'), 'hr-1', 'listPersons', repeat('x', 3000), 'read', 1 from generate_series(1, ${EVENTS / 2}) as n`);
  await database.close();
  const env = { HR_DATABASE: url, HR_PORT: '0' };
  const service = start(['serve'], env);
  service.stdout.resume();
  await addressOf(service);
  const listing = start(['audit', 'list', '--json'], env);
  const stderr = text(listing.stderr);
  const exit = once(listing, 'exit');
  await once(listing.stdout, 'readable');
  service.kill('SIGKILL');
  await once(service, 'exit');
  listing.stdout.resume();
  expect([await exit, await stderr]).toEqual([
    [1, null],
    'The response broke off: what was printed is not all of it.\n',
  ]);
  await remove();
});
