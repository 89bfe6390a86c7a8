import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ClientCredentials, ClientRecord } from '../src/clients/clients.ts';
import { addressOf, run, start } from './command-line.ts';
import { emptyDatabase } from './drivers.ts';
import { askToken, newToken, takes } from './oauth-form.ts';

const moment = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`;

describe.each([
  ['a free folder', 'pglite', false],
  ['a folder that a service holds', 'pglite', true],
  ['PostgreSQL that a service uses', 'postgres', true],
] as const)('clients by the command line on %s', (_, driver, served) => {
  let env: Record<string, string>;
  let remove: () => Promise<void>;
  let child: ReturnType<typeof start> | undefined;
  let baseUrl: string;
  let log: Promise<string>;

  beforeEach(async () => {
    const empty = await emptyDatabase(driver);
    remove = empty.remove;
    env = { HR_DATABASE: empty.url, HR_PORT: '0' };
    await serve(served);
  });
  afterEach(async () => {
    await serve(false);
    await remove();
  });

  /** Lets a service run, or none. */
  async function serve(wanted: boolean): Promise<void> {
    if (child) {
      child.kill('SIGTERM');
      await once(child, 'exit');
      child = undefined;
    }
    if (!wanted) return;
    child = start(['serve'], env);
    log = text(child.stdout);
    baseUrl = await addressOf(child);
  }

  async function clients(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(['clients', ...args], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  }
  const json = async <Answer>(...args: string[]): Promise<Answer> =>
    JSON.parse(await clients(...args, '--json')) as Answer;

  // Where none serves, each command opens the database itself, as it does with PostgreSQL.
  test.runIf(served)('are made, listed, rotated, disabled and enabled', async () => {
    expect(await clients('list')).toBe('There are no clients.\n');
    const created = await clients('create', '--name', 'Payroll \u001B[31m');
    const { id = '', first = '' } =
      /^client id +(?<id>\S+)\nclient secret +(?<first>\S+)\nscope +api:use\nKeep the secret now: .+\n$/.exec(created)
        ?.groups ?? {};
    expect(first).toHaveLength(47);

    const rotated = await clients('rotate', id);
    const { second = '' } = /^client secret +(?<second>\S+)$/m.exec(rotated)?.groups ?? {};
    expect(second).not.toBe(first);
    expect(rotated.split('\n').slice(3)).toEqual([
      'Keep the secret now: nobody can show it again.',
      expect.stringMatching(
        `^The previous secret is valid until ${moment}; any older one ended now, with its tokens\\.$`,
      ),
      `Once the client has the new one, end the previous one: clients rotate ${id} --retire`,
      '',
    ]);
    expect(await clients('list')).toMatch(
      new RegExp(
        `^CLIENT ID +SCOPE +GRANTS +STATE +LAST TOKEN +SECRETS +NAME\n${id} +api:use +all +enabled +never +${moment}, ${moment} until ${moment} +Payroll \\[31m\n$`,
      ),
    );
    expect(await clients('rotate', id, '--retire')).toMatch(
      new RegExp(`^The previous secret and its tokens ended now\\. The only valid secret is that of ${moment}\\.\n$`),
    );
    expect(await clients('rotate', id, '--retire')).toMatch(/^There was no previous secret to end\. The only valid/);
    expect(await json('rotate', id, '--retire')).toMatchObject({ clientId: id, retired: false });

    expect(await clients('grant', id, '--operations', 'listPersons,listAbsences', '--systems', 'master,time')).toBe(
      `Client ${id} may use and see: operations listPersons, listAbsences; systems master, time. Its tokens follow within a second.\n`,
    );
    expect(await json('grant', id, '--operations', 'all', '--fields', 'id,lastName')).toMatchObject({
      systems: ['master', 'time'],
      fields: ['id', 'lastName'],
    });
    expect(await clients('list')).toMatch(/ api:use +systems master, time; fields id, lastName +enabled /);
    expect(await run(['clients', 'grant', id, '--systems', 'master,hr'], env)).toEqual({
      code: 2,
      stdout: '',
      stderr: '/systems/1 must be one of master, payroll, time.\n',
    });

    expect(await clients('disable', id)).toBe(
      `Client ${id} is disabled: its tokens end within a second, and it gets no new ones.\n`,
    );
    expect(await clients('list')).toMatch(new RegExp(` disabled ${moment} `));
    expect(await clients('rotate', id)).toContain(`It is disabled: clients enable ${id}\n`);
    expect(await json<ClientRecord>('revoke', id)).toHaveProperty('disabledAt');
    expect(await clients('enable', id)).toBe(
      `Client ${id} is enabled: it gets tokens. Those that disabling it ended stay ended.\n`,
    );
    const list = await json('list');
    expect(list).toEqual([await json('enable', id)]);
    for (const secret of [first, second]) expect(JSON.stringify(list)).not.toContain(secret);
    expect(await run(['clients', 'disable', 'no/body'], env)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'There is no client with this id.\n',
    });
    await serve(false);
    const logged = await log;
    for (const secret of [first, second]) expect(logged).not.toContain(secret);
  });

  test('what it says holds for requests', async () => {
    const client = await json<ClientCredentials>('create', '--name', 'x');
    const rotated = await json<ClientCredentials>('rotate', client.clientId);
    if (!served) await serve(true);
    const token = await newToken({ baseUrl }, client);
    expect(await takes({ baseUrl }, token)).toBe(true);
    await json('rotate', client.clientId, '--retire');
    expect((await askToken({ baseUrl }, client)).status).toBe(401);
    expect((await askToken({ baseUrl }, rotated)).status).toBe(200);
    await json('disable', client.clientId);
    // Where the command did it itself, the service may have looked at the token just before.
    await expect.poll(() => takes({ baseUrl }, token)).toBe(false);
    expect((await askToken({ baseUrl }, rotated)).status).toBe(401);
    await json('enable', client.clientId);
    expect(await takes({ baseUrl }, token)).toBe(false);
    expect(await takes({ baseUrl }, await newToken({ baseUrl }, rotated))).toBe(true);
  });
});
