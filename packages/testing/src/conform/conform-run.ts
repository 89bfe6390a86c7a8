import type { ListOperationId } from '@hr/schemas';
import { fieldsOf, systems } from '@hr/schemas/rules';
import type { Arbitrary, FastCheck } from '../fixtures/arbitraries.ts';
import { seededRandom } from '../fixtures/random.ts';
import { compareKeys, listIds, lists, ownNames, rowOf, table, textOf, type Row } from '../model/lists.ts';
import { Census } from './census.ts';
import { NotTried, type Deviation } from './check.ts';
import type { Cloud, Exchange } from './cloud.ts';
import { valueOf, type CloudRequest, type Given, type Hidden } from './cloud-request.ts';
import type { ConformOptions } from './conform-options.ts';
import { findNames, findWindow, needsDates, type Dates, type FoundNames } from './query-names.ts';
import type { EachElement } from './response-body.ts';

const SAMPLE = 20;
const MAX_ROWS = 1000;
const MAX_RUNS = 20;
/** Smaller values that a search tries after the first one with deviations. */
const MAX_SMALLER = 20;

/** The field may be missing, or have another name. */
const NO_CONTRACTS = 'no person has employments[*].payrollContractId';

/** Why a request cannot be made. */
export function unknownName(parameter: string): string {
  return `the name of the query parameter "${parameter}" was not found: pass "wireNames" (--wire-names)`;
}

/** Query parameters with the names of the operation table. */
export type Query = Readonly<Record<string, Given>>;

/** A list that was read: of a person, of a contract or, with the rows of its first persons or contracts, of all. */
export interface ReadList {
  readonly request: CloudRequest;
  rows: readonly Row[];
}

/** What the checks share: the HR cloud, and what was found in its lists. It keeps ids and a sample of the rows. */
export class ConformRun {
  readonly census = new Census();
  /** Deviations of the lists, by check. */
  readonly found = new Map<string, Deviation[]>();
  /** The fields with a value of each person, as bits. */
  persons = new Map<string, number>();
  /** The names of query parameters in the URL, as far as they were found out. */
  readonly names: Record<string, FoundNames> = {};
  /** The windows of lists that require one, by operation. */
  readonly windows: Record<string, Dates> = {};
  /** The person of `allowWrites`, as it was. */
  person: Row | undefined;
  readonly options: ConformOptions & { readonly seed: number };
  readonly cloud: Cloud;
  readonly fc: FastCheck;
  readonly #read = new Map<string, ReadList[]>();
  /** Why an operation has no list. */
  readonly #reasons = new Map<string, string>();
  readonly #samples: Record<string, Hidden[]> = { personId: [], contractId: [] };
  readonly #seen: Record<string, number> = {};
  readonly #once = new Map<string, Promise<unknown>>();

  constructor(options: ConformRun['options'], cloud: Cloud, fc: FastCheck) {
    this.options = options;
    this.cloud = cloud;
    this.fc = fc;
  }

  /** Reads each list once, and finds out the names of query parameters. */
  async survey(): Promise<void> {
    // oxlint-disable no-await-in-loop -- the list of persons has the ids of the others
    const given = (this.options.wireNames ?? {}) as Record<string, FoundNames>;
    for (const operation of listIds) {
      this.options.onProgress?.(`reads ${operation}`);
      const [parameter] = Object.keys(table[operation]?.pathParameters.shape ?? {});
      const owners =
        parameter === undefined ? [{}] : (this.#samples[parameter] ?? []).map((id) => ({ [parameter]: id }));
      const [owner] = owners;
      if (!owner) {
        this.#reasons.set(operation, this.persons.size > 0 ? NO_CONTRACTS : 'there are no persons');
        continue;
      }
      const request = this.request(operation, { parameters: owner });
      const found = await findWindow(this.cloud, request, given[operation] ?? {});
      if (found.window) this.windows[operation] = found.window;
      this.names[operation] = found.names;
      const read = (await Promise.all(owners.map((parameters) => this.#readList(operation, parameters)))).flat();
      // Those that show the effect of a filter first.
      const sorted = read.toSorted((one, other) => other.rows.length - one.rows.length);
      this.#read.set(operation, sorted);
      const [list] = sorted;
      if (list) this.names[operation] = await findNames(this.cloud, operation, list, found.names);
    }
    // oxlint-enable no-await-in-loop
    this.names['submitVariablePayment'] = { ...this.names['listVariablePayments'], ...given['submitVariablePayment'] };
  }

  /** The lists of an operation that were read. @throws {NotTried} */
  listsOf(operation: ListOperationId): readonly [ReadList, ...ReadList[]] {
    const [first, ...others] = this.#read.get(operation) ?? [];
    if (!first) throw new NotTried(this.#reasons.get(operation) ?? 'there is no list');
    return [first, ...others];
  }

  /** A request of an operation, with its parameters by our names. */
  request(
    operation: string,
    { parameters = {}, query = {} }: { parameters?: Query; query?: Query } = {},
  ): CloudRequest {
    const { method = 'GET', path = '' } = table[operation] ?? {};
    const named = Object.entries({ ...this.windows[operation], ...query }).map(([name, value]) => {
      const wireName = this.names[operation]?.[name];
      if (wireName === undefined) throw new NotTried(unknownName(name));
      return [wireName, value] as const;
    });
    return { operation, method, path, parameters, query: Object.fromEntries(named) };
  }

  /** The name in the URL of a query parameter by ours. It is ours if none was found. */
  wireName(operation: string, ours: string): string {
    const [name = ''] = Object.entries(ownNames[operation] ?? {}).find(([, own]) => own === ours) ?? [];
    return this.names[operation]?.[name] ?? ours;
  }

  /** Reads a list whose absence is no deviation. @throws {NotTried} */
  async list(request: CloudRequest, each: EachElement): Promise<Exchange> {
    const exchange = await this.cloud.send(request, each);
    const { status } = exchange;
    const { timeComponent, extension } = table[request.operation] ?? {};
    if (status === 409 && timeComponent)
      throw new NotTried('status 409: the time-recording component is older than version 63.11.20 (section 8)');
    if (status === 410) throw new NotTried('status 410: changes are not kept since this date');
    if (extension && [403, 404, 405].includes(status))
      throw new NotTried(`the HR cloud does not have it: status ${status}`);
    if (needsDates(exchange))
      throw new NotTried('the list needs dates, and their names were not found: pass "wireNames"');
    return exchange;
  }

  /** Does something once for several checks. */
  once<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
    const result = this.#once.get(name) ?? act();
    this.#once.set(name, result);
    return result as Promise<Result>;
  }

  deviation({ request, got }: Exchange, place: string, expected: string, instead: string = got): Deviation {
    return { place, expected, got: instead, request: this.cloud.curl(request) };
  }

  /** The deviation of a status, if there is one. */
  statusFault(exchange: Exchange, ...statuses: readonly number[]): Deviation[] {
    const expected = `status ${statuses.join(' or ')}`;
    return statuses.includes(exchange.status) ? [] : [this.deviation(exchange, 'status', expected)];
  }

  /** Sends requests that should get one of these statuses. The deviations are in their order. */
  async expectStatus(requests: readonly CloudRequest[], ...statuses: readonly number[]): Promise<Deviation[]> {
    const sent = requests.map(async (request) => {
      const exchange = await this.cloud.send(request, request.method === 'GET' ? () => false : undefined);
      return this.statusFault(exchange, ...statuses);
    });
    return (await Promise.all(sent)).flat();
  }

  /** Tests generated values, and returns the deviations of the smallest one found that has any. */
  async search<Value>(
    arbitrary: Arbitrary<Value>,
    test: (value: Value) => Promise<readonly Deviation[]>,
    numRuns = MAX_RUNS,
  ): Promise<readonly Deviation[]> {
    let smallest: readonly Deviation[] = [];
    let reason: unknown;
    let left = numRuns + MAX_SMALLER;
    const property = this.fc.asyncProperty(arbitrary, async (value) => {
      if (left-- <= 0) return true;
      const deviations = await test(value).catch((error: unknown) => {
        reason = error;
        return [];
      });
      if (deviations.length > 0) smallest = deviations;
      return deviations.length === 0;
    });
    await this.fc.check(property, { seed: this.options.seed, numRuns });
    if (reason !== undefined) throw reason;
    return smallest;
  }

  /** Reads the list of persons again: the fields with a value of each. */
  async readPersons(): Promise<void> {
    const persons = new Map<string, number>();
    await this.list(this.request('listPersons'), (element) => persons.set(idOf(element), valuedBits(element)));
    this.persons = persons;
  }

  /** Reads a list and checks its elements; an empty array without the list. */
  async #readList(operation: ListOperationId, parameters: Query): Promise<ReadList[]> {
    const { rows, key, owner, isRepeatable } = lists[operation];
    const sampled = new Set<string>();
    const request = this.request(operation, { parameters });
    const curl = this.cloud.curl(request);
    const count = this.census.of(operation, curl);
    const kept: Row[] = [];
    const keys = new Set<string>();
    let before: readonly string[] = [];
    const note = (kind: string, place: string, expected: string, got: string): void => {
      const deviations = this.found.get(`${kind}-${operation}`) ?? [];
      this.found.set(`${kind}-${operation}`, deviations);
      if (!deviations.some((each) => each.place === place)) deviations.push({ place, expected, got, request: curl });
    };
    const take = (content: unknown, index: number): void => {
      count(content);
      const element = rowOf(content);
      if (!element) return;
      if (operation === 'listPersons') this.#takePerson(element, index);
      const those = rows(element);
      const [group = ''] = key(those[0] ?? element);
      const isSampled = sampled.has(group) || (kept.length < MAX_ROWS && sampled.size < SAMPLE);
      if (owner ? kept.length < MAX_ROWS : isSampled) {
        sampled.add(group);
        kept.push(...those);
      }
      const identity = key(element).join('\0');
      if (/[^\0]/.test(identity) && keys.has(identity) && !isRepeatable)
        note('unique', '[*]', 'each element once', 'an element twice');
      keys.add(identity);
      for (const row of those) {
        const own = key(row);
        if (before.length > 0 && compareKeys(own, before) < 0)
          note('order', '[*]', 'elements in ascending order', 'another order');
        before = own;
        const value = owner && row[owner[1]];
        if (owner && (value ?? null) !== null && value !== valueOf(parameters[owner[0]] ?? ''))
          note('owner', `[*].${owner[1]}`, `the ${owner[0]} of the path`, 'another id');
      }
    };
    try {
      const { status, got } = await this.list(request, take);
      if (status === 200) return [{ request, rows: kept }];
      note('list', 'status', 'status 200', got);
      throw new NotTried(`the list gets ${got}`);
    } catch (error) {
      if (!(error instanceof NotTried)) throw error;
      this.#reasons.set(operation, error.message);
      return [];
    }
  }

  #takePerson(person: Row, index: number): void {
    this.persons.set(idOf(person), valuedBits(person));
    if (idOf(person) === this.options.allowWrites) this.person = person;
    const place = (field: string): string => `${field} of element ${index + 1} of GET /api/v1/persons`;
    this.#sample('personId', { value: idOf(person), from: place('id') });
    for (const [at, each] of ((person['employments'] as Row[] | undefined) ?? []).entries()) {
      const value = textOf(rowOf(each)?.['payrollContractId']);
      this.#sample('contractId', { value, from: place(`employments[${at}].payrollContractId`) });
    }
  }

  /** Each id has the same chance to be in the sample. */
  #sample(name: string, id: Hidden): void {
    if (id.value === '') return;
    const sample = this.#samples[name] ?? [];
    const seen = (this.#seen[name] = (this.#seen[name] ?? 0) + 1);
    const place = seen <= SAMPLE ? seen - 1 : seededRandom(this.options.seed, name, seen).integer(0, seen - 1);
    if (place < SAMPLE) sample[place] = id;
  }
}

/** The id of an element, or of its person. */
export function idOf(element: unknown): string {
  const { id, personId } = rowOf(element) ?? {};
  return textOf(id ?? personId);
}

const ownedFields = systems.flatMap((system) => fieldsOf(system));

/** The fields of a person that a test selects, as bits. */
export function bitsOf(isSelected: (field: string) => boolean): number {
  return ownedFields.reduce((bits, field, at) => (isSelected(field) ? bits | (1 << at) : bits), 0);
}

function valuedBits(person: unknown): number {
  const fields = rowOf(person) ?? {};
  return bitsOf((field) => ![undefined, null, ''].includes(fields[field] as null) && String(fields[field]) !== '');
}
