import { operations } from '@hr/schemas';
import { formOf, kindOf } from '../contract/kind-of.ts';
import { leavesOf, memberPath, namesOf, valueAt } from '../contract/matching-rules.ts';
import { bodyOf, type Interaction } from '../contract/pact.ts';
import { idInPath, idsIn, kindOfId, namedIds, ownerOf, recordKinds } from '../contract/record-ids.ts';
import { compareKeys, listIds, lists, ownNames, textOf, type Row } from '../model/lists.ts';
import type { Fault } from './verification-result.ts';

/**
 * Faults of the values in a successful response, which no rule of Pact finds: a value that the request or a state names,
 * and that the example repeats, has to come back; all records belong to the person or contract of the path; lists have
 * only what their filters keep, no record twice, and their order.
 */
export function valueFaults(interaction: Interaction, example: unknown, body: unknown): readonly Fault[] {
  if (example === undefined || body === undefined) return [];
  const echo = echoFaults(interaction, example, body);
  if (interaction.response.status >= 400) {
    const malformed = pointerFaults(example, body);
    return malformed.length > 0 ? malformed : echo;
  }
  const places = new Set(echo.map(({ place }) => place.replaceAll(/\[\d+\]/g, '[*]')));
  const faults = [...echo, ...idFaults(interaction, example, body).filter(({ place }) => !places.has(place))];
  return faults.length > 0 ? faults : listFaults(interaction, example, body);
}

/** RFC 6901. */
const JSON_POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/;

/** Faults of the JSON Pointers of a problem, which a program takes apart. */
function pointerFaults(example: unknown, body: unknown): readonly Fault[] {
  return leavesOf(body).flatMap(({ path, value }) => {
    const names = namesOf(path);
    const isRead = names.at(-1) === 'pointer' && typeof valueAt(example, names, true) === 'string';
    if (!isRead || typeof value !== 'string' || JSON_POINTER.test(value)) return [];
    return [{ place: `body ${path}`, message: `expected a JSON Pointer, got ${formOf(value)}.` }];
  });
}

/**
 * Faults where a body does not have what the states or the request name of the example. Elements may have others between
 * them.
 */
function echoFaults(interaction: Interaction, example: unknown, body: unknown): readonly Fault[] {
  const owner = ownerOf(interaction.request.path);
  const named = namedValues(interaction, owner);
  const { absent = [] } = interaction.comments ?? {};
  const isProblem = interaction.response.status >= 400;

  /** Compares a value at two paths, of the example and of the body; `undefined` if nothing names a part of it. */
  function faultsOf(expected: unknown, given: unknown, from: string, path: string): readonly Fault[] | undefined {
    if (Array.isArray(expected)) {
      const elements = expected.flatMap((element: unknown, index) => {
        const compare = (at: number, value?: unknown) =>
          faultsOf(element, value, `${from}[${index}]`, `${path}[${at}]`);
        return compare(0) ? [compare] : [];
      });
      const values: readonly unknown[] = Array.isArray(given) ? given : [];
      const open = new Set(values.keys());
      const faults = elements.flatMap((compare) => {
        const tried = [...open].map((at) => [at, compare(at, values[at]) ?? []] as const);
        const [[at, closest] = [NaN, []]] = tried.toSorted(([, one], [, other]) => one.length - other.length);
        open.delete(at);
        return closest;
      });
      return elements.length > 0 ? faults : undefined;
    }
    if (typeof expected === 'object' && expected !== null) {
      const members = (kindOf(given) === 'an object' ? given : {}) as Readonly<Record<string, unknown>>;
      const missing = absent.flatMap((place) => {
        const name = namesOf(place).at(-1) ?? '';
        if (memberPath(from, name) !== place) return [];
        const fault = { place: `body ${memberPath(path, name)}`, message: 'expected no such field, got one.' };
        return [Object.hasOwn(members, name) ? [fault] : []];
      });
      const present = Object.entries(expected).flatMap(([name, member]) => {
        const faults = faultsOf(member, members[name], memberPath(from, name), memberPath(path, name));
        return faults ? [faults] : [];
      });
      return missing.length + present.length > 0 ? [...missing, ...present].flat() : undefined;
    }
    const source = isProblem ? sourceInProblem(from) : named.get(fieldOf(from, owner))?.get(expected);
    if (source === undefined) return undefined;
    // Pact reports another kind.
    if (given === expected || kindOf(given) !== kindOf(expected)) return [];
    return [{ place: `body ${path}`, message: otherValue(JSON.stringify(expected), source) }];
  }

  return faultsOf(example, body, '$', '$') ?? [];
}

/** What names a value of a problem: an error is at a place of the request, so the contract decides its pointer and code. */
function sourceInProblem(path: string): string | undefined {
  return /^\$\.errors\[\d+\]\.(?:pointer|code)$/.test(path) ? 'the contract' : undefined;
}

/** The name of a field: of an id, what has it. */
function fieldOf(path: string, owner: string): string {
  const place = path.replaceAll(/\[\d+\]/g, '[*]');
  return kindOfId(place, owner) ?? namesOf(place).at(-1) ?? '';
}

type NamedValues = Map<string, Map<unknown, string>>;

/** Field → value → what names it. What the request names of a field replaces what the states name of it. */
function namedValues(interaction: Interaction, owner: string): NamedValues {
  const { request, providerStates = [] } = interaction;
  const named: NamedValues = new Map();
  const add = (field: string, value: unknown, source: string): void => {
    named.set(field, (named.get(field) ?? new Map<unknown, string>()).set(value, source));
  };
  for (const { name, params } of providerStates) {
    for (const { path, value } of leavesOf(params))
      if (kindOfId(path, 'id') === undefined) add(fieldOf(path, owner), value, `the state "${name}"`);
  }
  const sent = leavesOf([request.query ?? {}, bodyOf(request, interaction)]);
  for (const { path } of sent) named.delete(fieldIn(path));
  for (const { path, value } of sent) add(fieldIn(path), value, 'the request');
  // Section 2.7: it defaults to the billing period.
  const month = named.get('correctionPeriod') ?? named.get('billingPeriod');
  if (month) named.set('correctionPeriod', month);
  for (const [kind, ids] of namedIds(request.path, providerStates))
    for (const id of ids) add(kind, id, id === idInPath(request.path) ? 'the path' : 'a state');
  return named;
}

/** The name of a sent field; a query parameter has a list of values. */
function fieldIn(path: string): string {
  return namesOf(path).findLast((name) => !/^\d+$/.test(name)) ?? '';
}

function otherValue(expected: string, source: string): string {
  return `expected ${expected}, which ${source} names, got another value.`;
}

/**
 * Faults where the states or the path name ids, but the provider sends others: it returns other data. Each record has
 * the id of the path; of the ids that states name, one of each kind has to be there.
 */
function idFaults({ providerStates = [], request }: Interaction, example: unknown, body: unknown): readonly Fault[] {
  const named = namedIds(request.path, providerStates);
  const owner = ownerOf(request.path);
  const own = new Set(idsIn(example, owner).map(({ place }) => place));
  const inPath = idInPath(request.path);
  return [...Map.groupBy(idsIn(body, owner), ({ place }) => place)].flatMap(([place, given]) => {
    const ids = new Set(given.map(({ id }) => id));
    // Of fields that the consumer does not read, only the id of the record itself says whose data it is.
    const isOfRecord = /^\$(?:\[\*\])?\.(?:id|personId|payrollContractId)$/.test(place);
    if (!isOfRecord && !own.has(place)) return [];
    const kind = recordKinds.find((each) => each === given[0]?.kind);
    const known = (kind && named.get(kind)) ?? [];
    const isOfPath = isOfRecord && known.includes(inPath);
    if (known.length === 0 || (isOfPath ? ids.size === 1 && ids.has(inPath) : known.some((id) => ids.has(id))))
      return [];
    return [
      {
        place: `body ${place}`,
        message: otherValue(known.map((each) => JSON.stringify(each)).join(' or '), isOfPath ? 'the path' : 'a state'),
      },
    ];
  });
}

/** Faults of a list, if the consumer reads what its filters compare, or what tells its records apart. */
function listFaults({ request }: Interaction, example: unknown, body: unknown): readonly Fault[] {
  const id = listIds.find((each) =>
    new RegExp(`^${operations[each].path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(request.path),
  );
  if (!id || request.method !== 'GET' || !Array.isArray(example) || !Array.isArray(body)) return [];
  const { rows, key, dates, keeps, isRepeatable } = lists[id];
  const [read] = (example as Row[]).flatMap(rows);
  if (!read) return [];
  // Pact reports another kind.
  const given = (body as Row[]).filter((element) => kindOf(element) === 'an object').flatMap(rows);
  const window = Object.fromEntries(
    Object.entries(ownNames[id] ?? {}).flatMap(([own, name]) => (request.query?.[name] ?? []).map((to) => [own, to])),
  );
  const hasDate = (row: Row): boolean => isWhole(dates(row).map(textOf).slice(0, 1));
  if (hasDate(read) && given.some((row) => hasDate(row) && !keeps(row, window)))
    return listFault('expected only what the filters of the request keep, got something else.');
  if (isRepeatable || !isWhole(key(read))) return [];
  // A deleted record may have less.
  const keys = given.map(key).filter(isWhole);
  const isOrdered = keys.every((own, index) => index === 0 || compareKeys(keys[index - 1] ?? own, own) <= 0);
  if (new Set(keys.map((parts) => parts.join('\0'))).size < keys.length)
    return listFault('expected each record once, got one again.');
  return isOrdered ? [] : listFault('expected the order of the API, got another.');
}

function listFault(message: string): readonly Fault[] {
  return [{ place: 'body $', message }];
}

/** Whether a row has all that its list is ordered by. */
function isWhole(key: readonly string[]): boolean {
  return key.every((part) => part !== '' && !part.includes('NaN'));
}
