import { expect, test, vi } from 'vitest';
import { recordsFile } from '../src/backend/config.ts';
import { subjects } from '../src/backend/copy-reads.ts';
import type { AuditEvent } from '../src/backend/operator-client.ts';
import { Records } from '../src/backend/records.ts';
import { routesOf } from './routes-of.ts';
import { consoleOfFile, startTestConsole } from './start-test-console.ts';

const server = await consoleOfFile();
const ID = '100008';

/** What the audit of the service has of a person of this file, without requests for tokens. */
async function auditOf(name: string): Promise<AuditEvent[]> {
  await server.reads.send();
  // The service itself writes its reads after a moment.
  const actingPerson = `local#${name.toLowerCase()}`;
  return await server.cloud.operator.auditEvents({ actingPerson });
}

/** What a person of this file did at the service. */
async function doneBy(name: string): Promise<unknown[]> {
  const events = await auditOf(name);
  return events.map(({ access, operation, purpose, personId }) => [access, operation, purpose, personId]);
}

test('each screen with persons of the local copy is one event, with the person and why', async () => {
  const call = server.signIn({ name: 'Reader' });
  const everybody = [...server.cloud.mirror.persons()].length;
  const paths = ['people', `people/${ID}`, 'absences?from=2026-01-01&to=2026-01-31', `time?person=${ID}`];
  for (const path of paths) {
    // oxlint-disable-next-line no-await-in-loop -- in their order
    expect((await call(`/bff/${path}`)).status).toBe(200);
  }
  // No person asked for it.
  await call(`/bff/people/${ID}`, undefined, { headers: { 'x-hr-background': '1' } });
  await call('/bff/labels');
  const shown = (await auditOf('Reader')).map(({ actor, access, operation, purpose, personId, elements }) => {
    expect({ actor, access, operation }).toEqual({ actor: 'operator', access: 'read', operation: 'readCopy' });
    return { purpose, personId, elements };
  });
  // Those of one millisecond are in no order.
  expect(shown.toSorted((one, other) => (String(one.purpose) < String(other.purpose) ? -1 : 1))).toEqual([
    { purpose: 'read absences', personId: undefined, elements: everybody },
    { purpose: 'read people', personId: undefined, elements: everybody },
    { purpose: 'read people/:id', personId: ID, elements: 1 },
    { purpose: 'read time', personId: ID, elements: 1 },
  ]);
});

test('a person cannot read without their name by saying that no person asked for it', async () => {
  const call = server.signIn({ name: 'Hider' });
  const background = { headers: { 'x-hr-background': '1' } };
  const [contract = ''] = server.cloud.mirror.person(ID)?.person.employments?.map((one) => one.payrollContractId) ?? [];
  const paths = [`people/${ID}`, `contracts/${contract}`, 'people', 'people?since=other'];
  for (const path of [...paths, ...paths]) {
    // oxlint-disable-next-line no-await-in-loop -- in their order
    expect((await call(`/bff/${path}`, undefined, background)).status).toBe(200);
  }
  await expect
    .poll(async () => (await doneBy('Hider')).map(String).toSorted(), { timeout: 30_000 })
    .toEqual([
      `read,listSalaryHistory,read contracts/:id,${ID}`,
      `read,listVariablePayments,read contracts/:id,${ID}`,
      'read,readCopy,read people,',
      `read,readCopy,read people/:id,${ID}`,
    ]);
});

test('what a person reads and changes at the service has their name in its audit', async () => {
  const call = server.signIn({ name: 'Changer' });
  const [contract = ''] = server.cloud.mirror.person(ID)?.person.employments?.map((one) => one.payrollContractId) ?? [];
  await call(`/bff/contracts/${contract}`);
  const { stored } = (await (await call(`/bff/people/${ID}/address`)).json()) as {
    stored: { version: string; fields: Record<string, string> };
  };
  const fields = { ...stored.fields, city: `Berlin ${Date.now()}` };
  const change = { version: stored.version, fields, keepsIban: false };
  expect((await call(`/bff/people/${ID}/address`, change)).status).toBe(200);
  await expect
    .poll(async () => await doneBy('Changer'), { timeout: 30_000 })
    .toEqual(
      expect.arrayContaining([
        ['read', 'listSalaryHistory', 'read contracts/:id', ID],
        ['change', 'updatePerson', 'change people/:id/address', ID],
      ]),
    );
});

test('a person of another issuer with the same name is another person', async () => {
  await server.signIn({ name: 'Twin' })(`/bff/people/${ID}`);
  const other = { id: 'https://login.example.com#kim%20roth', name: 'Twin', login: 'twin', employeeNumber: undefined };
  server.records.savePerson({ ...other, grants: [['viewer', 'everyone']] });
  expect(await auditOf('Twin')).toHaveLength(1);
  expect(server.records.nameOf('local#twin')).toBe('Twin (twin)');
});

test('reads wait while the service does not answer, also on a full disk, and while the console is stopped', async () => {
  const call = server.signIn({ name: 'Waiter' });
  const failing = vi.spyOn(server.cloud.operator, 'recordReads').mockRejectedValue(new Error('no response'));
  const log = vi.spyOn(server.records, 'addCopyRead').mockImplementationOnce(() => {
    throw Object.assign(new Error('full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
  });
  for (const id of [ID, '100009']) {
    // oxlint-disable-next-line no-await-in-loop -- in their order
    expect((await call(`/bff/people/${id}`)).status).toBe(200);
  }
  await server.reads.send();
  expect(server.reads.waiting).toBe(2);
  expect(server.records.countCopyReads()).toBe(1);
  log.mockRestore();
  failing.mockRestore();
  const ids = async (): Promise<string[]> =>
    (await auditOf('Waiter')).map(({ personId }) => String(personId)).toSorted();
  await expect.poll(ids, { timeout: 30_000 }).toEqual([ID, '100009']);
  expect(server.reads.waiting).toBe(0);
  // Told again, such as after a lost response, they are stored once.
  const [event] = await auditOf('Waiter');
  const { id = '', personId } = event ?? {};
  const again = { id, actingPerson: 'local#waiter', purpose: 'again', personId, elements: 1 };
  await server.cloud.operator.recordReads([again]);
  expect(await ids()).toEqual([ID, '100009']);
});

test('every route says whether it shows persons of the local copy', async () => {
  const routes = await routesOf(server);
  const others = routes.filter(({ method, url }) => method === 'GET' && !(url in subjects)).map(({ url }) => url);
  // They show none, or the service itself knows of whom.
  expect(others.toSorted()).toEqual([
    '/bff/contracts/:id',
    '/bff/contracts/:id/csv',
    '/bff/drafts',
    '/bff/events',
    '/bff/explorer',
    '/bff/explorer/call',
    '/bff/explorer/calls',
    '/bff/labels',
    '/bff/labels/csv',
    '/bff/labels/entries',
    '/bff/payments',
    '/bff/payments/:key',
    '/bff/payments/batches',
    '/bff/payments/batches/:batch',
    '/bff/payments/decisions/:run',
    '/bff/session',
    '/bff/system/audit',
    '/bff/system/clients',
    '/bff/system/sync',
    '/bff/system/webhooks',
  ]);
});

test('reads are kept on the disk until the service knows of them', async () => {
  await using stopped = await startTestConsole({ HR_BASE_URL: 'http://127.0.0.1:9' });
  const { mirror } = stopped.cloud;
  vi.spyOn(mirror, 'person').mockReturnValue(server.cloud.mirror.person(ID));
  await stopped.signIn({ name: 'Offline' })(`/bff/people/${ID}`);
  using file = new Records(recordsFile(stopped.config.folder));
  expect(file.copyReads(10)).toMatchObject([{ actingPerson: 'local#offline', personId: ID }]);
});
