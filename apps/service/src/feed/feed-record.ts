import { issuesOf, type Issue } from '@hr/schemas';
import { structureFault } from '@hr/schemas/provider';
import { recordKinds, type RecordKindName, type Row } from './record-kinds.ts';

/** One record of a feed, checked and ready to be stored, or a deletion. */
export interface FeedRecord {
  readonly kind: RecordKindName;
  readonly deletes: boolean;
  readonly key: Row;
  /** Empty for a deletion. */
  readonly values: Row;
}

const kinds = new Map<unknown, { kind: RecordKindName; deletes: boolean }>(
  (Object.keys(recordKinds) as RecordKindName[]).flatMap((kind) => [
    [kind, { kind, deletes: false }],
    [`delete${kind.charAt(0).toUpperCase()}${kind.slice(1)}`, { kind, deletes: true }],
  ]),
);

const NOT_KIND = `must be one of ${[...kinds.keys()].join(', ')}`;
/** Braces, brackets and commas. More of them take long to check, and no shorter line has more. */
const MAX_PARTS = 30_000;
/** Numbers that a double may not hold as written: of 15 digits or more, or with an exponent. */
const riskyNumber = /[:,[\s]-?(?:[\d.]{16}|[\d.]+[eE])/;

type Read = { readonly record: FeedRecord } | { readonly issues: readonly Issue[] };

/** Reads a line of a feed: the record, or what is wrong with it. */
export function readRecord(line: string): Read {
  const { stackTraceLimit } = Error;
  // The stack of an error that nobody sees takes most of the time of a bad line.
  Error.stackTraceLimit = 0;
  try {
    return checkedRecord(line);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function checkedRecord(line: string): Read {
  let value: unknown;
  try {
    const fault = line.length > MAX_PARTS ? structureFault(line, MAX_PARTS) : undefined;
    if (fault) return { issues: [fault] };
    value = JSON.parse(line);
  } catch {
    return { issues: [{ pointer: '', code: 'wrong-format', detail: 'must be JSON' }] };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { issues: [{ pointer: '', code: 'wrong-type', detail: 'must be an object' }] };
  }
  const { kind: name, ...fields } = value as Record<string, unknown>;
  const found = kinds.get(name);
  if (!found) return { issues: [{ pointer: '/kind', code: 'not-allowed', detail: NOT_KIND }] };
  const { kind, deletes } = found;
  const { model, keyModel, key, values } = recordKinds[kind];
  const { data, error } = (deletes ? keyModel : model).safeParse(fields);
  if (error) return { issues: issuesOf(error, fields) };
  // A fifth of the time that looking for faults takes. Texts in the record can only make the line seem to have some.
  const isSound = line.match(/"\s*:/g)?.length === countNames(value) && !riskyNumber.test(line);
  const fault = isSound ? undefined : structureFault(line, MAX_PARTS);
  if (fault) return { issues: [fault] };
  return { record: { kind, deletes, key: key(data), values: deletes ? {} : values(data as never) } };
}

function countNames(value: object): number {
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
  let names = Array.isArray(value) ? 0 : members.length;
  for (const member of members) if (typeof member === 'object' && member !== null) names += countNames(member);
  return names;
}
