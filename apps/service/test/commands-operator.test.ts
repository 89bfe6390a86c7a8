import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ClientCredentials, ClientRecord } from '../src/clients/clients.ts';
import { run } from './command-line.ts';
import { newKey } from './client-assertion.ts';
import { anyDriver } from './drivers.ts';
import { load, sharedService } from './service.ts';

const moment = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`;

// Where none serves, each command opens the database itself, as it does with PostgreSQL.
describe.each(anyDriver)('by the command line on %s that a service uses', (driver) => {
  const service = sharedService(driver);
  let env: Record<string, string>;

  beforeAll(() => {
    env = { HR_DATABASE: service.databaseUrl };
  });

  async function print(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(args, env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  }
  const clients = (...args: string[]): Promise<string> => print('clients', ...args);
  const customFields = (...args: string[]): Promise<string> => print('custom-fields', ...args);
  const json = async <Answer>(...args: string[]): Promise<Answer> =>
    JSON.parse(await clients(...args, '--json')) as Answer;

  test('clients are made, listed, rotated, disabled and enabled', async () => {
    expect(await clients('list')).toBe('There are no clients.\n');
    const created = await clients('create', '--name', 'Payroll \u001B[31m');
    const { id = '', first = '' } =
      /^client id +(?<id>\S+)\nclient secret +(?<first>\S+)\nscope +api:use\nStore the secret now: .+\n$/.exec(created)
        ?.groups ?? {};
    expect(first).toHaveLength(60);

    const rotated = await clients('rotate', id);
    const { second = '' } = /^client secret +(?<second>\S+)$/m.exec(rotated)?.groups ?? {};
    expect(second).not.toBe(first);
    expect(rotated.split('\n').slice(3)).toEqual([
      'Store the secret now: it is not shown again.',
      expect.stringMatching(
        `^The previous secret is valid until ${moment}; any older one ended now, with its tokens\\.$`,
      ),
      `Once the client has the new one, end the previous one: clients rotate ${id} --retire`,
      '',
    ]);
    expect(await clients('list')).toMatch(
      new RegExp(
        `^CLIENT ID +SCOPE +GRANTS +STATE +LAST TOKEN +SECRETS +KEYS +NAME\n${id} +api:use +all +enabled +never +${moment}, ${moment} until ${moment} +Payroll \\[31m\n$`,
      ),
    );
    expect(await clients('rotate', id, '--retire')).toMatch(
      new RegExp(`^The previous secret and its tokens ended now\\. The only valid secret is that of ${moment}\\.\n$`),
    );
    expect(await clients('rotate', id, '--retire')).toMatch(/^There was no previous secret to end\. The only valid/);
    expect(await json('rotate', id, '--retire')).toMatchObject({ clientId: id, retired: false });

    expect(await clients('grant', id, '--operations', 'listPersons,listAbsences', '--systems', 'master,time')).toBe(
      `Grants of client ${id}: operations listPersons, listAbsences; systems master, time. Its tokens follow within a second.\n`,
    );
    expect(await json('grant', id, '--operations', 'all', '--fields', 'id,lastName')).toMatchObject({
      systems: ['master', 'time'],
      fields: ['id', 'lastName'],
    });
    expect(await clients('list')).toMatch(/ api:use +systems master, time; fields id, lastName +enabled /);

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
    for (const secret of [first, second]) expect(JSON.stringify(list) + service.log.join('')).not.toContain(secret);
  });

  test('a client has keys instead of secrets', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hr-keys-'));
    const files = ['one', 'two', 'private'].map((name) => join(folder, `${name}.json`));
    const [one = '', two = '', secret = ''] = files;
    const [first, second] = [await newKey('Ed25519', 'one'), await newKey('ES256', 'two')];
    await writeFile(one, JSON.stringify(first.publicJwk));
    await writeFile(two, JSON.stringify({ keys: [second.publicJwk] }));
    await writeFile(secret, JSON.stringify(first.privateJwk));

    const created = await clients('create', '--name', 'Keys', '--public-key', one);
    const { id = '' } = /^client id +(?<id>\S+)\nscope +api:use\nIt has no secret: /.exec(created)?.groups ?? {};
    expect(await clients('list')).toMatch(new RegExp(`${id} .+ never +one +Keys\n`));
    const end = 'Others that it had ended now, with their tokens.\n';
    expect(await clients('keys', id, '--public-key', one, two)).toBe(
      `Client ${id} has the keys one (EdDSA), two (ES256). ${end}`,
    );
    expect(await clients('keys', id, '--jwks-url', 'https://keys.example.com')).toContain(
      ' https://keys.example.com. ',
    );
    expect(await clients('keys', id, '--none')).toContain(`it gets no token until: clients rotate ${id}`);
    await clients('rotate', id);
    expect(await clients('keys', id, '--none')).toContain('it has only its secret');
    await clients('keys', id, '--public-key', one);
    expect(await clients('rotate', id, '--retire')).toBe(
      'The secret and its tokens ended now. The client has only its keys.\n',
    );

    const refused = await run(['clients', 'keys', id, '--public-key', secret], env);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('It is now compromised');
    expect(refused.stderr).not.toContain(first.privateJwk.d);
    expect(await run(['clients', 'keys', id, '--public-key', join(folder, 'none')], env)).toMatchObject({ code: 2 });
    expect(await run(['clients', 'keys', id], env)).toMatchObject({ code: 2 });
    await rm(folder, { recursive: true });
  });

  test('a key is added that issues secrets and tokens in a while', async () => {
    const { id, issuesFrom } = await json<{ id: number; issuesFrom: string }>('rotate-key');
    expect(Date.parse(issuesFrom)).toBeGreaterThan(Date.now());
    expect(await clients('rotate-key')).toMatch(
      new RegExp(`^Key ${id + 1} issues secrets and tokens from ${moment} on\\. To`),
    );
  });

  test('custom fields are allowed, denied and listed', async () => {
    const { clientId } = await json<ClientCredentials>('create', '--name', 'Test');
    expect(await customFields('list')).toBe('No client sees custom fields.\n');
    expect(await customFields('allow', clientId, 'Parkausweis', 'Größe, \u001b[1mfett')).toBe(
      `CLIENT ID              CUSTOM FIELD\n${clientId}  Größe, [1mfett\n${clientId}  Parkausweis\n`,
    );
    const left = { clientId, names: ['Parkausweis'] };
    expect(JSON.parse(await customFields('deny', clientId, 'Größe, \u001b[1mfett', '--json'))).toEqual(left);
    expect(JSON.parse(await customFields('list', '--json'))).toEqual([left]);
    expect(JSON.parse(await customFields('list', clientId, '--json'))).toEqual([left]);
    expect(await customFields('deny', clientId, 'Parkausweis')).toBe('This client sees no custom fields.\n');
  });

  test('a person is exported, erased and readmitted', async () => {
    await load(service.database, [
      { kind: 'person', id: 'p 1', lastName: 'Roth' },
      { kind: 'keyNumber', personId: 'p 1', keyNumber: '77' },
      { kind: 'timeDay', personId: 'p 1', date: '2026-01-02' },
      { kind: 'absence', id: 'a', personId: 'p 1', startDate: '2026-01-05' },
    ]);
    expect(JSON.parse(await print('export', 'p 1'))).toMatchObject({
      personId: 'p 1',
      sources: [{}, { document: { lastName: 'Roth' } }],
    });
    expect(await run(['erase', 'p 1'], env)).toEqual({
      code: 2,
      stdout: '',
      stderr: 'This would erase for good: 1 view, 2 sources, 1 timeDays, 1 absences. Add --yes to do it.\n',
    });
    expect(await print('erase', 'p 1', '--yes')).toMatch(
      /^Person p 1 is erased since \d{4}-.*\. Erased now: 1 view, 2 sources, 1 timeDays, 1 absences\.\n$/,
    );
    expect(await run(['erase', 'p 1'], env)).toMatchObject({
      stderr: 'This would erase for good: nothing, as all was erased before. Add --yes to do it.\n',
    });
    expect(await print('readmit', 'p 1')).toBe('Person p 1 may come again with the next import.\n');
  });

  test.each([
    ['clients disable no/body', 1, 'There is no client with this id.\n'],
    ['clients grant nobody --systems master,hr', 2, '/systems/1 must be one of master, payroll, time.\n'],
    ['erase nobody --yes', 1, 'There is no person with this id.\n'],
  ])('%s fails with %i and a sentence', async (args, code, stderr) => {
    expect(await run(args.split(' '), env)).toEqual({ code, stdout: '', stderr });
  });
});
