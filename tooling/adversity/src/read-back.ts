import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { operations, type Operation } from '@hr/schemas';
import { apiRoutes, operatorOperations, operatorRoutes } from 'service/src/routes.ts';
import { copied, cursorLists, inOrder, type Elements, type Row } from 'service/test/copies.ts';
import { contractIds, personIds } from 'service/test/fuzz/canaries.ts';
import { placeholders } from 'service/test/fuzz/secrets.ts';
import { wireName } from 'service/test/valid-request.ts';
import type { Ledger, Stored } from './ledger.ts';
import { WRITERS } from './steps.ts';
import { Broken, type World } from './world.ts';

/** Copies of lists that are kept by their changes, by client and list. */
export type Copies = Map<string, { readonly elements: Elements; readonly cursor: string }>;

interface Known {
  readonly ledger: Ledger;
  readonly tokens: readonly string[];
  readonly copies: Copies;
}

const table: Readonly<Record<string, Pick<Operation, 'response' | 'delta' | 'list'>>> = {
  ...operations,
  ...operatorOperations,
};
const routes = new Map([...apiRoutes, ...operatorRoutes].map((route) => [route.id, route]));
const lists = [...routes.values()].filter(({ id, path }) => table[id]?.list && !path.includes('{endpointId}'));
const lanes = Array.from({ length: WRITERS }, (_, lane) => lane);
const persons = [...personIds, ...lanes.map((lane) => `ledger-${lane}`)];
const contracts = [...contractIds, ...lanes.map((lane) => `ledger-c-${lane}`)];
const LONG_AGO = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);

interface Read {
  readonly rows: readonly Row[];
  readonly cursor: string;
}

/** Reads with the token of a client what an operation gives of a subject. `undefined` if the client may not. */
type Reader = (id: string, subject?: string, query?: Readonly<Record<string, string>>) => Promise<Read | undefined>;

function readerOf({ port }: World, token: string): Reader {
  const headers = { authorization: `Bearer ${token}` };
  return async (id, subject = '', query = {}) => {
    const path = routes.get(id)?.path.replace(/\{\w+\}/, encodeURIComponent(subject)) ?? '';
    const parameters = new URLSearchParams(query).toString();
    const address = `${path}${parameters && '?'}${parameters}`;
    const response = await fetch(`http://127.0.0.1:${port}${address}`, { headers });
    const text = await response.text();
    if (response.status === 403) return undefined;
    if (response.status !== 200)
      throw new Broken(`${id} cannot be read back`, `${address}: ${response.status} ${text}`);
    const json = JSON.parse(text) as unknown;
    const { response: whole, delta = whole } = table[id] as Operation;
    const model = 'after' in query || 'changedSince' in query ? delta : whole;
    const rows = (Array.isArray(json) ? json : [json]) as Row[];
    const odd = rows.find((row) => !model.safeParse(row).success);
    if (odd) throw new Broken(`${id} reads back what is not of its model`, `${address}: ${JSON.stringify(odd)}`);
    return { rows, cursor: response.headers.get('hr-cursor') ?? '' };
  };
}

function expectEqual(law: string, found: unknown, expected: unknown): void {
  if (isDeepStrictEqual(found, expected)) return;
  throw new Broken(law, `${JSON.stringify(found)}\nis not\n${JSON.stringify(expected)}`.slice(0, 8000));
}

/** Reads every list of every resource back, by every client, and compares them with each other and with the ledger. */
export async function readBack(world: World, { ledger, tokens, copies }: Known): Promise<void> {
  const clients = world.stage.secrets.map(({ fill }) => ({
    id: fill(placeholders.clientId),
    read: readerOf(world, fill(placeholders.apiToken)),
  }));
  await Promise.all(clients.map(({ id, read }) => readApi(id, read, copies)));
  const operate = readerOf(world, world.stage.secrets[0]?.fill(placeholders.operatorToken) ?? '');
  const found = await readOperatorLists(operate);
  const writers = clients.slice(0, WRITERS);
  const [{ read }] = writers as [(typeof writers)[0]];
  const [fault] = ledger.faults(await storedNow(read, found));
  if (fault) throw new Broken(fault.law, fault.place);
  await comparePoints(operate, writers, found);
  const [verification] = (await operate('operatorVerifyAudit'))?.rows ?? [];
  expectEqual('The audit is not as it was', verification?.['faults'], []);
  for (const token of tokens.slice(-5)) {
    // A lost one is 401.
    // oxlint-disable-next-line no-await-in-loop -- few
    await readerOf(world, token)('listWebhookEndpoints');
  }
}

const LONGEST_SYNC_MS = 240_000;

/** Waits until the console shows the persons that the service has. */
export async function readConsole(world: World): Promise<void> {
  const { all } = await world.sessions();
  const origin = `http://localhost:${world.consolePort}`;
  const headers = { cookie: `hr-console=${all}` };
  const stop = new AbortController();
  using _ = { [Symbol.dispose]: () => stop.abort() };
  // It follows the service while somebody looks.
  await fetch(`${origin}/bff/events`, { headers, signal: stop.signal });
  const read = readerOf(world, world.stage.secrets[0]?.fill(placeholders.apiToken) ?? '');
  const end = performance.now() + LONGEST_SYNC_MS;
  // oxlint-disable no-await-in-loop -- until they are the same
  for (;;) {
    const listed = ids((await read('listPersons'))?.rows);
    const response = await fetch(`${origin}/bff/people`, { headers });
    const { rows } = (await response.json()) as Partial<Read>;
    if (isDeepStrictEqual(ids(rows), listed)) return;
    if (performance.now() > end) expectEqual('The console does not follow the service', ids(rows), listed);
    await setTimeout(200);
  }
  // oxlint-enable no-await-in-loop
}

/** Every list of the API: fully, as changes of long ago, and by the cursor of the last time. */
async function readApi(client: string, read: Reader, copies: Copies): Promise<void> {
  // oxlint-disable no-await-in-loop -- a client may read few lists at a time
  for (const route of lists.filter(({ scopes }) => scopes.includes('api:use'))) {
    const subjects = route.path.includes('{contractId}') ? contracts : route.path.includes('{') ? persons : [''];
    for (const subject of subjects) {
      const whole = await read(route.id, subject);
      if (!whole) break;
      const list = route.path.slice('/api/v1/'.length);
      const full = inOrder(copied(list, whole.rows));
      if ('changedSince' in route.query.shape) {
        const since = await read(route.id, subject, { changedSince: LONG_AGO });
        expectEqual(`${route.id}: the changes make another list`, inOrder(copied(list, since?.rows ?? [])), full);
      }
      if (!cursorLists.includes(list)) continue;
      const before = copies.get(`${client} ${list}`);
      if (before) {
        const after = await read(route.id, subject, { after: before.cursor });
        const now = copied(list, after?.rows ?? [], new Map(before.elements));
        expectEqual(`${route.id}: the changes after a cursor make another list`, inOrder(now), full);
      }
      copies.set(`${client} ${list}`, { elements: copied(list, whole.rows), cursor: whole.cursor });
    }
  }
  // oxlint-enable no-await-in-loop
}

/** Those that grow by being read, or whose elements are no records. */
const inexact = /Audit|Activity|Count/;
const pageParameters = new Set(['after', 'before', 'limit', 'last']);
const VALUES_A_FILTER = 3;
const PAGE = 7;

/** Every list of operators: fully, in pages, and by every filter whose field its elements have. */
async function readOperatorLists(read: Reader): Promise<ReadonlyMap<string, readonly Row[]>> {
  const found = new Map<string, readonly Row[]>();
  // oxlint-disable no-await-in-loop -- a client may read few lists at a time
  for (const route of lists.filter(({ scopes, path }) => scopes.includes('operator') && !path.includes('{'))) {
    const isExact = !inexact.test(route.id);
    const { rows } = (await read(route.id)) ?? { rows: [] };
    found.set(route.id, rows);
    for (const name of Object.keys(route.query.shape).filter((one) => !pageParameters.has(one))) {
      const texts = rows.map((row) => row[name]).filter((value) => typeof value === 'string');
      const values = new Set(texts.filter((text) => /^[^,]+$/.test(text)));
      for (const value of [...values].slice(-VALUES_A_FILTER)) {
        const filtered = (await read(route.id, '', { [wireName(route, name)]: value }))?.rows ?? [];
        const matching = (all: readonly Row[]): readonly Row[] => all.filter((row) => row[name] === value);
        expectEqual(`${route.id}: the filter ${name} finds others`, filtered, matching(isExact ? rows : filtered));
      }
    }
    if (!('limit' in route.query.shape) || !isExact) continue;
    const pages: Row[] = [];
    for (let size = PAGE; size === PAGE;) {
      const last = pages.at(-1)?.['id'] as string | undefined;
      const page = await read(route.id, '', {
        limit: String(PAGE),
        ...(last !== undefined && { after: last }),
      });
      size = page?.rows.length ?? 0;
      pages.push(...(page?.rows ?? []));
    }
    expectEqual(`${route.id}: its pages make another list`, pages, rows);
  }
  // oxlint-enable no-await-in-loop
  return found;
}

/** What the lists say of the registers and the markers of the ledger. */
async function storedNow(read: Reader, found: ReadonlyMap<string, readonly Row[]>): Promise<Stored> {
  const [people, absences] = await Promise.all(['listPersons', 'listAllAbsences'].map((id) => read(id)));
  const registers = new Map<string, string>();
  const markers: unknown[] = [];
  for (const { id, address, keyNumber } of people?.rows ?? []) {
    registers.set(`person ${String(id)}`, 'there');
    registers.set(`houseNumber ${String(id)}`, String((address as Row | undefined)?.['houseNumber']));
    registers.set(`keyNumber ${String(id)}`, String(keyNumber));
  }
  for (const { id, amount } of absences?.rows ?? []) registers.set(`absence ${String(id)}`, String(amount));
  for (const { id, state, compensationComponentId } of found.get('operatorListVariablePayments') ?? []) {
    registers.set(`payment ${String(id)}`, String(state));
    markers.push(compensationComponentId);
  }
  for (const { clientId, name, disabledAt } of found.get('operatorListClients') ?? []) {
    registers.set(`client ${String(clientId)}`, disabledAt === undefined ? 'enabled' : 'disabled');
    markers.push(name);
  }
  for (const { id, pausedAt } of found.get('operatorListWebhookEndpoints') ?? []) {
    registers.set(`endpoint ${String(id)}`, pausedAt === undefined ? 'active' : 'paused');
  }
  const counts = Map.groupBy(markers, String);
  return { registers, markers: new Map([...counts].map(([marker, { length }]) => [marker, length])) };
}

const partOf = {
  absences: ['listAllAbsences', 'listAbsences', 'personId', persons],
  salaries: ['listAllSalaries', 'listSalaryHistory', 'payrollContractId', contracts],
} as const;

const shown = (rows: readonly Row[] = []): unknown[] =>
  rows.map((row) => [row['compensationComponentId'], row['state']]);
const ids = (rows: readonly Row[] = []): string[] => rows.map((row) => String(row['id'])).toSorted();

/** Compares what is read of one resource with the lists of all. */
async function comparePoints(
  operate: Reader,
  writers: readonly { readonly id: string; readonly read: Reader }[],
  found: ReadonlyMap<string, readonly Row[]>,
): Promise<void> {
  const [payments = [], endpoints = [], imports = []] = [
    'operatorListVariablePayments',
    'operatorListWebhookEndpoints',
    'operatorListImports',
  ].map((id) => found.get(id));
  // oxlint-disable no-await-in-loop -- a client may read few lists at a time
  for (const run of imports.slice(-VALUES_A_FILTER)) {
    const one = await operate('operatorGetImport', String(run['id']));
    expectEqual('operatorGetImport: one is not as in the list', one?.rows, [run]);
  }
  // One that is lost is 404.
  for (const person of persons) await operate('operatorExportPerson', person);
  for (const { id, read } of writers) {
    const decided = payments.filter((row) => row['submittedBy'] === id && row['state'] !== 'submitted');
    const decisions = await read('listVariablePaymentDecisions');
    expectEqual('A decision is not in the list of its client', shown(decisions?.rows), shown(decided));
    const ofClient = endpoints.filter((row) => row['clientId'] === id);
    expectEqual('Operators see other endpoints', ids((await read('listWebhookEndpoints'))?.rows), ids(ofClient));
  }
  const [{ read }] = writers as [(typeof writers)[0]];
  for (const [name, [ofAll, ofOne, field, subjects]] of Object.entries(partOf)) {
    const whole = await read(ofAll);
    for (const subject of subjects) {
      const part = await read(ofOne, subject);
      const expected = whole?.rows.filter((row) => row[field] === subject);
      expectEqual(`The ${name} of one are not those of all`, part?.rows, expected);
    }
  }
  for (const contract of contracts) {
    const approved = await read('listVariablePayments', contract);
    const ofContract = payments.filter((row) => row['payrollContractId'] === contract && row['state'] === 'approved');
    expectEqual('An approved payment is not in its list', approved?.rows.length, ofContract.length);
  }
  // oxlint-enable no-await-in-loop
}
