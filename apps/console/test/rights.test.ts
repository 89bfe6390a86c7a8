// oxlint-disable no-await-in-loop -- one request after the other
import { randomUUID } from 'node:crypto';
import type { Person } from '@hr/client';
import type { Mirror } from '@hr/client/mirror';
import cookie from '@fastify/cookie';
import fc from 'fast-check';
import fastify from 'fastify';
import { startDemo } from 'tooling-vitest/demo';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { recordsFile } from '../src/backend/config.ts';
import { createLog } from '../src/backend/log.ts';
import type { LiveEvent } from '../src/backend/live-event.ts';
import type { OperatorPayment } from '../src/backend/operator-client.ts';
import { Sessions } from '../src/backend/provider-sessions.ts';
import { Records } from '../src/backend/records.ts';
import { addSessions, type Session } from '../src/backend/sessions.ts';
import { consoleItself, viewsOf } from '../src/backend/view.ts';
import type { Check } from '../src/payments/check-payments.ts';
import type { DecisionRun } from '../src/payments/decisions.ts';
import type { BatchPage, InboxPage, InboxPayment } from '../src/payments/payment-inbox.ts';
import type { ContractScreen } from '../src/contract/contract-routes.ts';
import type { EditScreen } from '../src/edit/stored-value.ts';
import type { PersonScreen } from '../src/person/person-routes.ts';
import type { ClientsSection } from '../src/system/system-routes.ts';
import { features } from '../src/features.ts';
import { gaps } from '../src/model/gaps.ts';
import { dataRights, whomOf, type Grant } from '../src/model/grants.ts';
import { memberOf, teamOf } from '../src/model/team.ts';
import { sortKeys, tabs } from '../src/model/addresses.ts';
import { expectAccessible, goTo, openPage, screenWidths, settled } from './open-page.ts';
import { bffRequests } from './bff-requests.ts';
import { routesOf } from './routes-of.ts';
import { startTestConsole, type BffCaller, type TestConsole } from './start-test-console.ts';

const DATE = '2026-10-15';
const patience = { timeout: 120_000 };
const demo = await startDemo();
let server: TestConsole;
let everyone: readonly Person[] = [];
let payments: readonly OperatorPayment[] = [];
/** Leads others; somebody of their team, and somebody of another one. */
let lead: Person;
let report: Person;
let other: Person;

beforeAll(async () => {
  server = await startTestConsole({ HR_BASE_URL: demo.url });
  await vi.waitUntil(() => server.live.health.state === 'current', patience);
  everyone = [...server.cloud.mirror.persons()];
  payments = await server.cloud.operator.payments({});
  const paid = new Set(payments.map(({ payrollContractId }) => payrollContractId));
  const isPaid = ({ employments }: Person): boolean =>
    employments?.some(({ payrollContractId }) => paid.has(payrollContractId)) ?? false;
  const teams = everyone.map((one) => [one, teamOf(everyone.map(memberOf), { manager: one.id })] as const);
  for (const [one, team] of teams) {
    const reports = new Set(team.map(({ id }) => id));
    const [inside, outside] = [true, false].map((isReport) =>
      everyone.find((each) => reports.has(each.id) === isReport && each.id !== one.id && isComplete(each)),
    );
    if (inside && outside && one.employeeNumber) [lead, report, other] = [one, inside, outside];
  }
  function isComplete(each: Person): boolean {
    return isPaid(each) && Boolean(each.bankDetails && each.dateOfBirth && each.legalEntity && each.groups?.length);
  }
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await demo.stop();
});

const contractOf = ({ employments }: Person): string => employments?.[0]?.payrollContractId ?? '';
const paidContractOf = ({ employments }: Person): string =>
  (employments ?? []).map((one) => one.payrollContractId).find((id) => paymentOf(id) !== undefined) ?? '';
const paymentOf = (contract: string): OperatorPayment | undefined =>
  payments.find(({ payrollContractId }) => payrollContractId === contract);

let users = 0;
function signIn(grants: readonly Grant[], employeeNumber?: string): BffCaller {
  return server.signIn({ name: `Person ${users++}`, grants, ...(employeeNumber && { employeeNumber }) });
}

async function json<T>(call: BffCaller, path: string, body?: unknown): Promise<T> {
  const response = await call(`/bff/${path}`, body);
  expect({ path, status: response.status }).toEqual({ path, status: 200 });
  return (await response.json()) as T;
}

test('every route has a status for each set of grants', async () => {
  const key = paymentOf(paidContractOf(other))?.id ?? '';
  const contract = contractOf(other);
  const sets: Readonly<Record<string, readonly Grant[]>> = {
    none: [['viewer', 'group:none']],
    viewer: [['viewer', 'everyone']],
    pay: [['viewer', 'pay', 'everyone']],
    birth: [['viewer', 'birth', 'everyone']],
    entity: [['editor', 'pay', `entity:${other.legalEntity?.id}`]],
    group: [['approver', 'pay', `group:${other.groups?.[0]?.id}`]],
    lead: [
      ['viewer', 'everyone'],
      ['editor', 'approver', 'pay', 'reports'],
    ],
    operator: [['operator', 'everyone']],
    administrator: [['administrator', 'everyone']],
    all: [['editor', 'approver', 'operator', 'administrator', 'pay', 'birth', 'everyone']],
  };
  const run = randomUUID();
  // + stands for the given status, F for 403 and N for 404, in the order of the sets. The data is of a person who is in the
  // entity and the group, but does not report to the lead.
  const table: readonly (readonly [route: string, ok: number, statuses: string])[] = [
    ['GET /bff/session', 200, '++++++++++'],
    ['POST /bff/session', 401, '++++++++++'],
    ['DELETE /bff/session', 200, '++++++++++'],
    ['GET /bff/events', 200, '++++++++++'],
    ['GET /bff/drafts', 200, 'FFFF+F+FF+'],
    ['POST /bff/drafts', 200, 'FFFF+F+FF+'],
    ['GET /bff/today', 200, '++++++++++'],
    ['GET /bff/people', 200, '++++++++++'],
    ['GET /bff/missing', 200, '++++++++++'],
    ['GET /bff/people/csv', 200, '++++++++++'],
    ['GET /bff/people/:id', 200, 'N+++++++++'],
    ['GET /bff/people/:id/address', 200, 'FFFF+FFFF+'],
    ['POST /bff/people/:id/address', 409, 'FFFF+FFFF+'],
    ['GET /bff/people/:id/bank-details', 200, 'FFFF+FFFF+'],
    ['POST /bff/people/:id/bank-details', 409, 'FFFF+FFFF+'],
    ['POST /bff/people/:id/bank-details/reveal', 200, 'FFFF+FFFF+'],
    ['GET /bff/contracts/:id', 200, 'N+++++++++'],
    ['GET /bff/contracts/:id/csv', 200, 'NF+F++FFF+'],
    ['GET /bff/payments', 200, 'FF+F+++FF+'],
    ['GET /bff/payments/:key', 200, 'FF+F++NFF+'],
    ['GET /bff/payments/contracts', 200, 'FFFF+F+FF+'],
    ['POST /bff/payments/check', 200, 'FFFF+F+FF+'],
    ['POST /bff/payments/batches', 400, 'FFFF+F+FF+'],
    ['GET /bff/payments/batches', 200, 'FF+F+++FF+'],
    ['GET /bff/payments/batches/:batch', 404, 'FF+F+++FF+'],
    ['DELETE /bff/payments/batches/:batch/unsent', 404, 'FFFF+F+FF+'],
    ['POST /bff/payments/batches/:batch/correction', 404, 'FFFF+F+FF+'],
    ['POST /bff/payments/settle', 404, 'FFFF+F+FF+'],
    ['POST /bff/payments/resend', 404, 'FFFF+F+FF+'],
    ['POST /bff/payments/decisions', 400, 'FFFFF++FF+'],
    ['GET /bff/payments/decisions/:run', 404, 'FFFFF++FF+'],
    ['POST /bff/payments/decisions/:run/stop', 404, 'FFFFF++FF+'],
    ['GET /bff/absences', 200, '++++++++++'],
    ['GET /bff/absences/csv', 200, '++++++++++'],
    ['GET /bff/time', 200, 'N+++++++++'],
    ['GET /bff/time/team', 200, '++++++++++'],
    ['GET /bff/time/persons', 200, '++++++++++'],
    ['GET /bff/explorer', 200, '++++++++++'],
    ['GET /bff/explorer/calls', 200, 'FFFFFFFFF+'],
    ['GET /bff/explorer/call', 200, 'FFFFFFFFF+'],
    ['GET /bff/system/sync', 200, 'F+++FF++++'],
    ['POST /bff/system/sync', 400, 'FFFFFFF+F+'],
    ['GET /bff/system/clients', 200, 'F+++FF++++'],
    ['POST /bff/system/grants', 400, 'FFFFFFF+F+'],
    ['POST /bff/system/client-keys', 400, 'FFFFFFFFF+'],
    ['GET /bff/system/webhooks', 200, 'F+++FF++++'],
    ['POST /bff/system/webhooks', 400, 'FFFFFFF+F+'],
    ['GET /bff/system/audit', 200, 'F+++FF++++'],
    ['GET /bff/labels', 200, '++++++++++'],
    ['GET /bff/labels/entries', 200, '++++++++++'],
    ['GET /bff/labels/csv', 200, '++++++++++'],
    ['POST /bff/labels/check', 200, 'FFFFFFFF++'],
    ['POST /bff/labels', 400, 'FFFFFFFF++'],
  ];
  const routes = await routesOf(server);
  expect(table.map(([route]) => route).toSorted()).toEqual(
    routes.map(({ method, url }) => `${method} ${url}`).toSorted(),
  );
  const names = Object.keys(sets);
  for (const [route, ok, statuses] of table) {
    const { query = '', body } = bffRequests[route] ?? {};
    const [method = '', url = ''] = route.split(' ');
    const id = url.includes('contracts') ? contract : other.id;
    const path = url.replace(':id', id).replace(':key', key).replaceAll(/:\w+/g, run);
    const found: string[] = [];
    for (const name of names) {
      const user = `local#${name}`;
      const call = server.signIn({ name, grants: sets[name] ?? [], employeeNumber: String(lead.employeeNumber) });
      const filled = (text: string): string =>
        text.replace('PERSON', other.id).replace('RUN', run).replace('USER', user);
      const text = body && filled(JSON.stringify(body));
      const stop = new AbortController();
      const init = { method, signal: stop.signal, ...(text && { body: text }) };
      const { status } = await call(path + filled(query).replace('#', '%23'), undefined, init);
      stop.abort();
      found.push(status === ok ? '+' : status === 403 ? 'F' : status === 404 ? 'N' : String(status));
    }
    expect({ route, statuses: found.join('') }).toEqual({ route, statuses });
  }
});

/** Requests of every screen, about a person, with most of their parameters. */
function requestsAbout(person: Person): string[] {
  const { id } = person;
  const key = paymentOf(paidContractOf(person))?.id ?? '1';
  const team = `manager=${lead.id}&entity=${person.legalEntity?.id}`;
  return [
    `today?date=${DATE}`,
    'people',
    ...gaps.map((gap) => `missing?missing=${gap}&date=${DATE}`),
    ...sortKeys.map((sort) => `people/csv?locale=de&date=${DATE}&sort=${sort}`),
    `people/csv?locale=en&date=${DATE}&q=${encodeURIComponent(person.lastName ?? '')}`,
    `people/csv?locale=en&date=${DATE}&${team}`,
    ...tabs.map((tab) => `people/${id}?tab=${tab}`),
    `contracts/${contractOf(person)}`,
    `contracts/${contractOf(person)}/csv`,
    ...['submitted', 'approved', 'rejected', 'unknown', 'all'].map((state) => `payments?state=${state}`),
    'payments?state=all&period=2026-10',
    `payments?state=all&q=${encodeURIComponent(person.lastName ?? '')}`,
    `payments?state=all&q=${contractOf(person)}`,
    `payments/${key}`,
    `payments/contracts?name=${encodeURIComponent(person.lastName ?? '')}`,
    'payments/batches',
    'absences?from=2026-10-01&to=2026-10-31',
    'absences?from=2020-01-01&to=2020-01-31',
    `absences?from=2026-10-01&to=2026-10-31&name=${encodeURIComponent(person.lastName ?? '')}`,
    `absences/csv?from=2026-10-01&to=2026-10-31&${team}`,
    'time',
    `time?person=${id}&month=2026-10`,
    'time/team?month=2026-10',
    `time/team?month=2026-10&${team}`,
    `time/persons?search=${encodeURIComponent(person.lastName ?? '')}`,
    'time/persons',
    'labels/entries',
    'system/audit',
  ];
}

const isCovered = (person: Person, grant: Grant): boolean => {
  const reports = new Set(teamOf(everyone.map(memberOf), { manager: lead.id }).map(({ id }) => id));
  return whomOf(grant).some(
    (word) =>
      word === 'everyone' ||
      (word === 'reports' && reports.has(person.id)) ||
      word === `entity:${person.legalEntity?.id}` ||
      (person.groups?.some(({ id }) => word === `group:${id}`) ?? false),
  );
};

/** Whether a text has a word that is no part of a longer one. */
const has = (text: string, word: string): boolean =>
  new RegExp(`(?<![\\w-])${word.replaceAll(/[^\w ]/g, String.raw`\$&`)}(?![\\w-])`).test(text);

test('no response has more of a person than a grant for the person allows, and each has what it allows', async () => {
  const groups = [...new Set(everyone.flatMap((person) => person.groups?.map(({ id }) => id) ?? []))];
  const entities = [...new Set(everyone.flatMap(({ legalEntity }) => legalEntity?.id ?? []))];
  const whom = fc.constantFrom(
    'everyone',
    'reports',
    ...groups.map((id) => `group:${id}`),
    ...entities.map((id) => `entity:${id}`),
  );
  const role = fc.constantFrom('viewer', 'editor', 'approver', 'operator', 'administrator');
  const grant = fc
    .tuple(role, fc.subarray([...dataRights]), whom)
    .map(([one, data, persons]): Grant => [one, ...data, persons]);
  const samples = fc.sample(fc.array(grant, { minLength: 1, maxLength: 3 }), { numRuns: 30, seed: 2026 });
  const bornOn = Map.groupBy(everyone, ({ dateOfBirth }) => dateOfBirth ?? '');
  for (const [index, grants] of samples.entries()) {
    const may = (person: Person, word?: string): boolean =>
      grants.some((one) => (word === undefined || one.includes(word)) && isCovered(person, one));
    const call = signIn(grants, String(lead.employeeNumber));
    const about = everyone[(index * 37) % everyone.length] as Person;
    const seen = everyone.filter((person) => may(person));
    const hidden = everyone.filter((person) => !may(person));
    const seenNames = new Set(seen.map(nameOf));
    let text = '';
    const requests = [about, report, other].flatMap(requestsAbout);
    // Of so many people together, each request is made often enough.
    const some = requests.filter((path, place) => path === 'people' || (place + index) % 12 === 0);
    for (const path of new Set(some)) {
      const response = await call(`/bff/${path}`);
      expect({ path, status: [200, 403, 404].includes(response.status) }).toEqual({ path, status: true });
      const body = await response.text();
      // What the person asked for is no secret to them.
      text += path.includes('search=') || path.includes('q=') || path.includes('name=') ? '' : body;
    }
    const words = new Set(text.match(/[\w-]+/g));
    const withoutPay = everyone.filter((person) => !may(person, 'pay'));
    const amounts = withoutPay.flatMap(({ employments }) =>
      (employments ?? []).flatMap(({ payrollContractId }) =>
        payments.filter((one) => one.payrollContractId === payrollContractId).map(({ id }) => `"paymentId":"${id}"`),
      ),
    );
    expect({
      grants,
      ids: hidden.filter(({ id }) => words.has(id)).map(({ id }) => id),
      contracts: hidden.flatMap(({ employments }) =>
        (employments ?? []).flatMap((one) => (words.has(one.payrollContractId) ? one.payrollContractId : [])),
      ),
      names: hidden.map(nameOf).filter((name) => !seenNames.has(name) && text.includes(name) && has(text, name)),
      payments: amounts.filter((one) => text.includes(one)),
      ibans: everyone.filter(({ bankDetails }) => bankDetails?.iban && text.includes(bankDetails.iban)),
      births: [...bornOn].filter(
        ([day, born]) =>
          day !== '' && !born.some((person) => may(person, 'birth')) && text.includes(`"dateOfBirth":"${day}"`),
      ),
    }).toEqual({ grants, ids: [], contracts: [], names: [], payments: [], ibans: [], births: [] });
    expect(seen.filter(({ id }) => !words.has(id))).toEqual([]);
  }
});

function nameOf({ firstName, lastName }: Person): string {
  return `${firstName} ${lastName}`;
}

test('the responses to somebody who sees some persons are those of a console that has only these', async () => {
  const scopes = ['reports', `entity:${other.legalEntity?.id}`, `group:${other.groups?.[0]?.id}`];
  for (const scope of scopes) {
    const covered = new Map(everyone.flatMap((person) => (isCovered(person, [scope]) ? [[person.id, person]] : [])));
    expect(covered.size).toBeGreaterThan(0);
    expect(covered.size).toBeLessThan(everyone.length);
    const grant = ['viewer', 'editor', 'approver', ...dataRights];
    const user = {
      name: `Sees ${scope}`,
      grants: [[...grant, scope]],
      employeeNumber: String(lead.employeeNumber),
    };
    await using reference = await consoleOf(covered);
    const token = server.session(user);
    const about = [...covered.values()].filter((person) => contractOf(person) !== '').slice(0, 2);
    for (const path of [...about, lead].flatMap(requestsAbout)) {
      // Of the audit, the requests of this test are events.
      if (/tab=history|^system|^labels/.test(path)) continue;
      // The service of the other console has it.
      if (!covered.has(lead.id) && path.startsWith(`contracts/${contractOf(lead)}`)) continue;
      const [limited, expected] = await Promise.all(
        [server.origin(), reference.origin].map(async (origin) => {
          const response = await fetch(`${origin}/bff/${path}`, { headers: { cookie: `hr-console=${token}` } });
          const text = await response.text();
          const isJson = /json/.test(response.headers.get('content-type') ?? '');
          return {
            path,
            status: response.status,
            body: isJson ? JSON.parse(text, withoutTimes) : text,
          };
        }),
      );
      expect(limited).toEqual(expected);
    }
  }
});

const volatile = new Set(['readAt', 'namesAsOf', 'version', 'requestId']);
const withoutTimes = (name: string, value: unknown): unknown => (volatile.has(name) ? undefined : value);

/** A console whose local copy and service have some persons alone, where everybody sees all. */
async function consoleOf(covered: ReadonlyMap<string, Person>): Promise<AsyncDisposable & { readonly origin: string }> {
  const { mirror, changes, operator } = server.cloud;
  const known = (person: Person): Person => {
    const { managerId, ...rest } = person;
    return managerId && !covered.has(managerId) ? rest : person;
  };
  const contracts = new Set(
    [...covered.values()].flatMap(({ employments }) => (employments ?? []).map((one) => one.payrollContractId)),
  );
  const only: Pick<Mirror, 'persons' | 'person' | 'bookings' | 'absences' | 'status' | 'runs'> = {
    persons: ({ limit = Infinity, ...query } = {}) =>
      [...mirror.persons(query)]
        .filter(({ id }) => covered.has(id))
        .slice(0, limit)
        .map(known)
        .values(),
    person: (id) => {
      const found = covered.has(id) ? mirror.person(id) : undefined;
      if (found === undefined) return undefined;
      const person = known(found.person);
      const seen = Object.entries(found.seen).filter(([name]) => name !== 'managerId' || person.managerId);
      return { person, seen: Object.fromEntries(seen) };
    },
    bookings: (query) => [...mirror.bookings(query)].filter(({ personId }) => covered.has(personId)).values(),
    absences: (query) => [...mirror.absences(query)].filter(({ personId }) => covered.has(personId)).values(),
    status: () => mirror.status(),
    runs: (limit) => mirror.runs(limit),
  };
  type Listed = Parameters<typeof operator.payments>[0];
  const list = async ({ last, limit, before, ...query }: Listed): Promise<OperatorPayment[]> =>
    (await operator.payments(query))
      .filter(
        ({ id, payrollContractId }) => contracts.has(payrollContractId) && (!before || Number(id) < Number(before)),
      )
      .slice(-Number(last ?? Infinity))
      .slice(0, Number(limit ?? Infinity));
  const ofCovered = Object.create(operator, {
    payments: { value: list },
    paymentsWith: {
      value: async (name: string, values: readonly string[]) => await list({ [name]: values.join(',') }),
    },
    countPayments: {
      value: async ({ sums, ...query }: Listed & { sums?: string }) =>
        (await list(query)).map(({ billingPeriod, state, amount, hours, days }) => ({
          billingPeriod,
          state,
          payments: 1,
          ...(sums && { amount, hours, days }),
        })),
    },
    auditEvents: {
      value: async (query: object) =>
        (await operator.auditEvents(query)).filter(({ personId, payrollContractId }) =>
          personId === undefined ? contracts.has(payrollContractId ?? '') : covered.has(personId),
        ),
    },
  });
  const viewOf = viewsOf({ mirror: only as Mirror, changes });
  const cloud = Object.create(server.cloud, { operator: { value: ofCovered } });
  const app = fastify();
  await app.register(cookie);
  const everybody = [['viewer', 'editor', 'approver', ...dataRights, 'everyone']];
  const records = new Records(recordsFile(server.config.folder));
  const session = records.session.bind(records);
  records.session = (...input) => {
    const user = session(...input);
    return user && { ...user, grants: everybody };
  };
  app.setErrorHandler((error: { status?: number; body?: unknown }, _request, reply) =>
    reply
      .code(error.status ?? 500)
      .type('application/problem+json')
      .send(error.body),
  );
  const context = {
    ...server,
    cloud,
    viewOf,
    records,
    sessions: new Sessions(records, undefined, createLog('silent')),
  };
  addSessions(app, context);
  for (const feature of features) feature(app, context);
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    origin,
    [Symbol.asyncDispose]: async () => {
      await app.close();
      records[Symbol.dispose]();
    },
  };
}

test('what one grant allows does not hold for the persons of another one', async () => {
  const call = signIn(
    [
      ['viewer', 'everyone'],
      ['editor', 'approver', 'pay', 'reports'],
    ],
    String(lead.employeeNumber),
  );
  const [ofReport, ofOther] = await Promise.all(
    [report, other].map(({ id }) => json<PersonScreen>(call, `people/${id}`)),
  );
  expect(ofReport).toMatchObject({
    bankDetails: { iban: expect.any(String) },
    withheld: ['birth'],
    mayEdit: { bankDetails: true },
  });
  expect(ofOther).toMatchObject({
    hasBankDetails: true,
    withheld: ['pay', 'birth'],
    mayEdit: { address: false, bankDetails: false },
  });
  for (const { person, seen } of [ofReport, ofOther] as PersonScreen[]) {
    for (const field of ['dateOfBirth', 'gender', 'citizenship', 'birthName', 'expectedStartOfPension']) {
      expect(person).not.toHaveProperty(field);
      expect(seen).not.toHaveProperty(field);
    }
  }
  expect(ofOther).not.toHaveProperty('bankDetails');
  expect(ofOther?.seen).not.toHaveProperty('bankDetails');

  const contract = await json<ContractScreen>(call, `contracts/${contractOf(other)}`);
  const months = (await json<ContractScreen>(server.signIn(), `contracts/${contractOf(other)}`)).salary.months;
  expect(months.some(({ total }) => total !== undefined)).toBe(true);
  expect(contract).toMatchObject({
    hasPay: false,
    salary: { components: [], months: months.map(({ month, hasEntry }) => ({ month, hasEntry, values: [] })) },
  });
  expect(JSON.stringify(contract)).not.toMatch(/"(?:total|base|payments|differentSum)"/);

  const row = (person: Person) => ({
    contractId: contractOf(person),
    billingPeriod: '2027-01',
    compensationComponentId: 'X',
    amount: '1',
  });
  const { rows } = await json<Check>(call, 'payments/check', { rows: [row(report), row(other)], compare: true });
  expect(rows).toMatchObject([{ faults: [] }, { faults: [{ field: 'contractId', code: 'no-right' }] }]);
  const given = [report, other].map((person) => ({
    contractId: contractOf(person),
    payment: { billingPeriod: '2027-01', compensationComponentId: 'X', amount: 1 },
  }));
  const refused = await call('/bff/payments/batches', { batch: randomUUID(), name: 'Both', rows: given });
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ errors: [{ pointer: '/rows/1/contractId', code: 'no-right' }] });
});

test('guessed payments that somebody does not see are as unknown ones, and those they only see are refused', async () => {
  const { id } = paymentOf(paidContractOf(other)) as OperatorPayment;
  const blind = signIn([['approver', 'pay', 'reports']], String(lead.employeeNumber));
  expect(await decided(blind, id)).toEqual(await decided(blind, '999999999'));
  const sighted = signIn(
    [
      ['viewer', 'pay', 'everyone'],
      ['approver', 'pay', 'reports'],
    ],
    String(lead.employeeNumber),
  );
  const refused = await sighted('/bff/payments/decisions', {
    run: randomUUID(),
    decision: 'approve',
    chosen: { ids: [id] },
  });
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ errors: [{ pointer: '/chosen', code: 'no-right' }] });
});

test('events name the persons somebody sees, and tell nothing of others, but of a change of what they see', async () => {
  const scope = `entity:${other.legalEntity?.id}`;
  const token = server.session({ name: 'Listener', grants: [['viewer', scope]] });
  const stop = new AbortController();
  const response = await fetch(`${server.origin()}/bff/events`, {
    headers: { cookie: `hr-console=${token}` },
    signal: stop.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const eventsUntil = async (kind: string): Promise<LiveEvent[]> => {
    for (;;) {
      const events = text
        .split('\n\n')
        .flatMap((line) => (line.startsWith('data: ') ? (JSON.parse(line.slice(6)) as LiveEvent) : []));
      const changed = events.filter(({ type }) => type === 'changed');
      if (changed.some((event) => event.type === 'changed' && event.kinds.includes(kind))) {
        text = '';
        return changed;
      }
      text += (await reader?.read())?.value ?? '';
    }
  };
  const outside = everyone.find((person) => !isCovered(person, [scope]))?.id ?? '';
  const tell = (kinds: readonly string[], personIds: readonly string[] = []): void =>
    server.live.tell({ type: 'changed', kinds, personIds });
  tell(['persons', 'timeBookings'], [outside]);
  tell(['payments', 'salaries']);
  tell(['persons', 'payments'], [outside, other.id]);
  tell(['labels']);
  expect(await eventsUntil('labels')).toEqual([
    { type: 'changed', kinds: ['persons'], personIds: [other.id] },
    { type: 'changed', kinds: ['labels'], personIds: [] },
  ]);
  // Their grant covers others now.
  server.session({
    name: 'Listener',
    grants: [['viewer', 'reports']],
    employeeNumber: String(lead.employeeNumber),
  });
  tell(['persons'], [outside]);
  tell(['labels']);
  expect(await eventsUntil('labels')).toEqual([
    { type: 'changed', kinds: [], personIds: [] },
    { type: 'changed', kinds: ['labels'], personIds: [] },
  ]);
  stop.abort();
});

test('decisions end when the role is taken away, and nothing more is sent', async () => {
  const name = 'Approver';
  const approver = server.signIn({ name });
  const batch = await submitted(server.signIn({ name: 'Submitter' }), 12);
  const decide = vi.spyOn(server.cloud.operator, 'decide');
  const { operator } = server.cloud;
  const original = Object.getPrototypeOf(operator).decide as typeof operator.decide;
  decide.mockImplementation(async (...input) => {
    if (decide.mock.calls.length === 3)
      server.session({
        name,
        grants: [
          ['viewer', 'pay', 'everyone'],
          ['approver', 'pay', `group:none`],
        ],
      });
    return await original.apply(operator, input);
  });
  const run = randomUUID();
  await json(approver, 'payments/decisions', { run, decision: 'approve', chosen: { batch, count: 12 } });
  await expect
    .poll(async () => (await json<DecisionRun>(approver, `payments/decisions/${run}`)).isRunning, patience)
    .toBe(false);
  const ended = await json<DecisionRun>(approver, `payments/decisions/${run}`);
  expect(ended).toMatchObject({ done: 3, waiting: 0, total: 12 });
  expect(ended.results.map(({ state }) => state)).toEqual(Array.from({ length: 9 }, () => 'not-sent'));
  expect(decide).toHaveBeenCalledTimes(3);
  decide.mockRestore();
});

test('a batch ends when the person who submits it is disabled, and nothing more is sent', async () => {
  const call = server.signIn({ name: 'Leaver' });
  const reader = server.signIn({ name: 'Reader' });
  const { payroll } = server.cloud.hr;
  const original = payroll.submitVariablePayment.bind(payroll);
  let sent = 0;
  const submit = vi.spyOn(payroll, 'submitVariablePayment').mockImplementation((...input) => {
    if (input[2]?.signal?.aborted !== true && ++sent === 3) server.records.setDisabled('local#leaver', true);
    return original(...input);
  });
  const batch = randomUUID();
  expect((await call('/bff/payments/batches', { batch, name: 'Batch', rows: rowsOf(12) })).status).toBe(204);
  const page = async (): Promise<BatchPage> => await json(reader, `payments/batches/${batch}`);
  await expect.poll(async () => (await page()).isRunning, patience).toBe(false);
  submit.mockRestore();
  expect(await page()).toMatchObject({ unsent: 9, stop: 'forbidden' });
  expect(sent).toBe(3);
});

/** Approves a payment, and returns what became of it. */
async function decided(call: BffCaller, payment: string): Promise<unknown> {
  const run = randomUUID();
  await json(call, 'payments/decisions', { run, decision: 'approve', chosen: { ids: [payment] } });
  const read = async (): Promise<DecisionRun> => await json(call, `payments/decisions/${run}`);
  await expect.poll(async () => (await read()).isRunning, patience).toBe(false);
  return (await read()).results.map((result) => ({ ...result, id: undefined }));
}

function rowsOf(count: number) {
  const contractId = contractOf(report);
  return Array.from({ length: count }, (_, index) => ({
    contractId,
    payment: { billingPeriod: '2027-02', compensationComponentId: randomUUID().slice(0, 8), amount: index + 1 },
  }));
}

/** Submits a batch, and returns its id once all of it is sent. */
async function submitted(call: BffCaller, count: number): Promise<string> {
  const batch = randomUUID();
  expect((await call('/bff/payments/batches', { batch, name: 'Batch', rows: rowsOf(count) })).status).toBe(204);
  await expect
    .poll(async () => (await json<BatchPage>(call, `payments/batches/${batch}`)).isRunning, patience)
    .toBe(false);
  return batch;
}

test('a batch is there for those who see all of its payments, or made it', async () => {
  const batch = await submitted(server.signIn({ name: 'Submitter' }), 2);
  const lists = async (call: BffCaller): Promise<boolean> =>
    (await json<{ batches: { id: string }[] }>(call, 'payments/batches')).batches.some(({ id }) => id === batch);
  const sees = signIn([['viewer', 'pay', 'reports']], String(lead.employeeNumber));
  expect(await lists(sees)).toBe(true);
  expect(await json<BatchPage>(sees, `payments/batches/${batch}`)).toMatchObject({ bar: 'no-right' });
  const blind = signIn([['editor', 'pay', 'group:none']]);
  expect(await lists(blind)).toBe(false);
  for (const path of ['', '/correction']) {
    expect((await blind(`/bff/payments/batches/${batch}${path}`, path ? {} : undefined)).status).toBe(404);
  }
  const { payments: listed } = await json<InboxPage>(sees, 'payments?state=submitted');
  const contracts = new Set(
    everyone
      .filter((person) => isCovered(person, ['reports']))
      .flatMap(({ employments }) => (employments ?? []).map((one) => one.payrollContractId)),
  );
  expect(listed.filter((one: InboxPayment) => !contracts.has(one.contractId))).toEqual([]);
  expect(listed.length).toBeGreaterThan(1);
});

test('the totals of payments that were discarded are for those who made the batch or see all pay', async () => {
  const maker = server.signIn({ name: 'Submitter' });
  const { payroll } = server.cloud.hr;
  const original = payroll.submitVariablePayment.bind(payroll);
  const lists = async (call: BffCaller): Promise<boolean> =>
    (await json<{ batches: { id: string }[] }>(call, 'payments/batches')).batches.some(({ id }) => id === batch);
  const batch = randomUUID();
  // The first one is sent, or none.
  const submit = vi.spyOn(payroll, 'submitVariablePayment').mockImplementation((contract, payment, options) => {
    const isSent = payment.amount === 1;
    return original(contract, payment, isSent ? options : { signal: AbortSignal.abort() });
  });
  const [first, second] = rowsOf(2);
  const ofOther = { ...second, contractId: contractOf(other) };
  const sees = signIn([['viewer', 'pay', 'reports']], String(lead.employeeNumber));
  const blind = signIn([['viewer', 'pay', 'group:none']]);
  for (const [id, rows] of [
    [batch, [first, ofOther]],
    [randomUUID(), [ofOther]],
  ] as const) {
    expect((await maker('/bff/payments/batches', { batch: id, name: 'Batch', rows })).status).toBe(204);
    const page = async (): Promise<BatchPage> => await json(maker, `payments/batches/${id}`);
    await expect.poll(async () => (await page()).isRunning, patience).toBe(false);
    const discard = { method: 'DELETE', body: '{}' };
    expect((await maker(`/bff/payments/batches/${id}/unsent`, undefined, discard)).status).toBe(204);
    expect(await page()).toMatchObject({ unsent: 0, totals: { payments: rows.length } });
    for (const call of [sees, blind]) expect((await call(`/bff/payments/batches/${id}`)).status).toBe(404);
    expect((await server.signIn({ name: 'Reader' })(`/bff/payments/batches/${id}`)).status).toBe(200);
  }
  submit.mockRestore();
  expect(await Promise.all([maker, sees, blind].map(lists))).toEqual([true, false, false]);
});

test('nothing is changed by a person whose right is taken away while a change waits for the stored data', async () => {
  const name = 'Waits';
  const change = { fields: { iban: 'DE02120300000000202051' }, keepsIban: false };
  const update = vi.spyOn(server.cloud.hr.persons, 'update');
  const sync = server.cloud.sync.bind(server.cloud);
  for (const [status, takeAway] of [
    [403, () => void server.session({ name, grants: [['editor', 'everyone']] })],
    [401, () => void server.records.setDisabled('local#waits', true)],
  ] as const) {
    const call = server.signIn({ name });
    const { stored } = await json<EditScreen>(call, `people/${other.id}/bank-details`);
    const spy = vi.spyOn(server.cloud, 'sync').mockImplementation((...input) => {
      takeAway();
      return sync(...input);
    });
    const { version } = stored;
    const saved = await call(`/bff/people/${other.id}/bank-details`, { ...change, version });
    spy.mockRestore();
    expect(saved.status).toBe(status);
  }
  expect(update).not.toHaveBeenCalled();
  update.mockRestore();
});

test('the last reads of clients are without those of payments for a person without pay', async () => {
  const [withPay, withoutPay] = [
    ['viewer', 'pay', 'everyone'],
    ['viewer', 'everyone'],
  ].map((grant) => signIn([grant]));
  const reads = async (call = withPay): Promise<string[]> => {
    const { clients } = await json<ClientsSection>(call as BffCaller, 'system/clients');
    return clients.flatMap(({ lastReads }) => lastReads.map(({ operation }) => operation));
  };
  // The service writes its reads after a moment, and there may be others in between.
  const read = async (): Promise<unknown> => {
    await json(withPay as BffCaller, `contracts/${paidContractOf(other)}`);
    const [all, some] = [await reads(), await reads(withoutPay)];
    return [all.includes('listVariablePayments'), some.includes('listSalaryHistory'), some.join(' ')];
  };
  await expect.poll(read, patience).toEqual([true, true, expect.not.stringContaining('VariablePayment')]);
});
test('a draft about a person who does not exist for its author is as one about nobody', async () => {
  const grants = [['editor', `entity:${other.legalEntity?.id}`]];
  const hidden = everyone.find((person) => !isCovered(person, grants[0] ?? []))?.id ?? '';
  const name = 'Drafts';
  const call = server.signIn({ name, grants });
  for (const id of [hidden, 'unknown']) {
    const body = { user: 'local#drafts', name: `address/${id}`, patch: {} };
    expect((await call('/bff/drafts', body)).status).toBe(404);
  }
  const body = { user: 'local#drafts', name: `address/${other.id}`, patch: {} };
  expect((await call('/bff/drafts', body)).status).toBe(200);
  const drafts = async (): Promise<unknown> =>
    (await json<{ drafts: { drafts: unknown[] } }>(call, 'session')).drafts.drafts;
  expect(await drafts()).toHaveLength(1);
  server.session({ name, grants: [['editor', 'group:none']] });
  expect(await drafts()).toEqual([]);
});

test('a draft about pay is there only for a person with pay', async () => {
  const name = 'Paid';
  const call = server.signIn({ name });
  const user = 'local#paid';
  const names = [`bankDetails/${other.id}`, 'payment', 'table', `table/${randomUUID()}`];
  for (const one of names) await json(call, 'drafts', { user, name: one, patch: {} });
  const statuses = async (): Promise<number[]> => {
    const responses = names.map((one) => call(`/bff/drafts?${new URLSearchParams({ user, name: one })}`));
    return (await Promise.all(responses)).map(({ status }) => status);
  };
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  server.session({
    name,
    grants: [
      ['editor', 'everyone'],
      ['editor', 'pay', 'group:none'],
    ],
  });
  expect(await statuses()).toEqual([404, 200, 200, 200]);
  server.session({ name, grants: [['editor', 'everyone']] });
  expect(await statuses()).toEqual([404, 404, 404, 404]);
  expect((await json<Session>(call, 'session')).drafts.drafts).toEqual([]);
});

test('views follow the local copy, and the console itself sees all', () => {
  const viewOf = viewsOf(server.cloud);
  const all = viewOf(consoleItself);
  expect([...all.persons()]).toEqual(everyone);
  expect([...viewOf({ grants: [], employeeNumber: undefined }).persons()]).toEqual([]);
  // Nobody is the person of a number that two have, or none.
  for (const employeeNumber of [undefined, '', 'unknown']) {
    expect([...viewOf({ grants: [['viewer', 'reports']], employeeNumber }).persons()]).toEqual([]);
  }
  const some = viewOf({ grants: [['viewer', `entity:${other.legalEntity?.id}`]], employeeNumber: undefined });
  const first = [...some.persons()].map(({ id }) => id);
  expect([...some.persons({ limit: 2 })].map(({ id }) => id)).toEqual(first.slice(0, 2));
  expect(first.every((id) => some.may(id)) && !some.mayForAll()).toBe(true);
});

test('screens say what somebody may not see, and lead only to what they may', async () => {
  const user = { name: 'Vera Viewer', grants: [['viewer', `entity:${other.legalEntity?.id}`]] };
  await using opened = await openPage(server, {
    path: `/people/${other.id}`,
    user,
    viewport: { width: 360, height: 740 },
  });
  const { page } = opened;
  const expectFits = async (): Promise<void> => {
    await expect.poll(() => screenWidths(page)).toEqual([360, 360]);
    await expectAccessible(page);
  };
  await page.getByText('There are bank details. You may not see pay.').waitFor();
  await page.getByText('You may not see data of birth, citizenship and gender.').waitFor();
  await expect(page.getByText(/Date of birth|Edit/).count()).resolves.toBe(0);
  await expectFits();
  await goTo(page, `/contracts/${contractOf(other)}`);
  await page.getByRole('cell', { name: 'Entry', exact: true }).first().waitFor();
  await page.getByText('You may not see pay.').waitFor();
  await expect(page.getByRole('heading', { name: /payments/i }).count()).resolves.toBe(0);
  await expectFits();
  await goTo(page, '/payments');
  await page.getByText('You may not see pay.').waitFor();
  await goTo(page, '/api');
  await page.getByText('To try one, you need').waitFor();
  await expect(page.getByRole('heading', { name: 'Try it' }).count()).resolves.toBe(0);
  await expectFits();
  await goTo(page, '/system');
  await page.getByRole('tab', { name: 'Names' }).waitFor();
  await expect(page.getByRole('tab').count()).resolves.toBe(1);
  await page.setViewportSize({ width: 1280, height: 800 });
  const navigation = page.getByRole('navigation', { name: 'Main navigation' });
  await expect(navigation.getByRole('link').allInnerTexts()).resolves.toEqual([
    'Today',
    'People',
    'Absences',
    'Time',
    'API',
    'System',
  ]);
  await goTo(page, '/');
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await settled(page);
  await expect(page.getByRole('heading', { name: 'Payments' }).count()).resolves.toBe(0);
  await expectAccessible(page);
});
