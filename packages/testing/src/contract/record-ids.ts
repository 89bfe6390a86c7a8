import { leavesOf, namesOf } from './matching-rules.ts';

/** An id in a JSON value. */
interface RecordId {
  /** `$[*].employments[*].payrollContractId` */
  readonly place: string;
  /** What has the id: `personId`, `payrollContractId`, `absenceId`; for other ids, their names. */
  readonly kind: string;
  readonly id: string;
}

/** The kinds whose ids tell the elements of a list apart. */
export const recordKinds = ['personId', 'payrollContractId', 'absenceId'] as const;

/** The ids in a state's parameters or in a body. `owner` is the kind of a top-level `id`. */
export function idsIn(json: unknown, owner: string): readonly RecordId[] {
  return leavesOf(json).flatMap(({ path, value }) => {
    const place = path.replaceAll(/\[\d+\]/g, '[*]');
    const kind = kindOfId(place, owner);
    return typeof value === 'string' && kind !== undefined ? [{ place, kind, id: value }] : [];
  });
}

/** The kind of the id at a place; undefined if no id is there. */
export function kindOfId(place: string, owner: string): string | undefined {
  const names = namesOf(place).filter((name) => name !== '*');
  const [last = ''] = names.slice(-1);
  if (last === 'id') return names.length === 1 ? owner : names.slice(-2).join('.');
  return /^(?:personId|payrollContractId|managerId|keyNumber)$/.test(last) ? last : undefined;
}

/** The kind of a top-level `id` in the response to a request. */
export function ownerOf(path: string): string {
  return path.endsWith('/absences') ? 'absenceId' : 'personId';
}

type States = readonly { readonly name: string; readonly params?: unknown }[];

/** The ids that the path of a request and the states name, by kind. An id in the path excludes others of its kind. */
export function namedIds(path: string, states: States): ReadonlyMap<string, readonly string[]> {
  const inPath = idInPath(path);
  const ofPath = inPath && { kind: path.includes('/persons/') ? 'personId' : 'payrollContractId', id: inPath };
  const all = states.flatMap(({ name, params = {} }) => {
    if (!name.endsWith(' absence')) return idsIn(params, 'personId');
    const { id, personId } = params as { readonly id?: unknown; readonly personId?: unknown };
    if (ofPath && personId !== inPath) return [];
    // An unnamed id is the provider's choice.
    return idsIn({ ...(params as object), id: id ?? '' }, 'absenceId');
  });
  const groups = Map.groupBy(
    ofPath ? [...all.filter(({ kind }) => kind !== ofPath.kind), ofPath] : all,
    ({ kind }) => kind,
  );
  const ids = Array.from(groups, ([kind, group]) => [kind, [...new Set(group.map(({ id }) => id))]] as const);
  return new Map(ids.filter(([, group]) => !group.includes('')));
}

/** The id of the person or contract in the path of a request. */
export function idInPath(path: string): string {
  return decoded(/\/(?:persons|payrollContract)\/([^/]+)/.exec(path)?.[1] ?? '');
}

/** A segment of a path without its percent-encoding, if that is valid. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
