import {
  Absence,
  Changes,
  Person,
  problemKinds,
  problemType,
  SalaryHistoryEntry,
  TimeBookingDay,
  VariablePaymentDecision,
  type ProblemKind,
} from '@hr/schemas';
import { isDeepStrictEqual } from 'node:util';
import { kindOf } from '../contract/kind-of.ts';
import { decoded } from '../contract/record-ids.ts';
import type { ProviderState } from '../states/provider-states.ts';

/**
 * A request of a behaviour case: method and address, in which `{cursor}` is the cursor of an earlier response, and how it differs from a plain request with a valid token.
 *
 * @sealed
 */
export type CaseRequest = string | readonly [methodAndAddress: string, details: CaseRequestDetails];

/**
 * How a request differs from a plain one.
 *
 * @sealed
 */
export interface CaseRequestDetails {
  /** Text and bytes are sent as they are, other values as JSON. */
  readonly body?: unknown;
  /** Added to the headers of the body and the token; `undefined` removes one of these. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Default: a valid token. */
  readonly token?: 'valid' | 'without-scope' | 'rejected' | 'none';
}

/**
 * The part of a response that a caller can rely on.
 *
 * @sealed
 */
export interface CaseResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON. */
  readonly body: unknown;
}

/**
 * What an HR cloud does in a situation.
 *
 * @sealed
 */
export interface BehaviourCase {
  /** Section of the HR Cloud API specification. */
  readonly section: string;
  /** `should` where the specification is silent. */
  readonly severity: 'must' | 'should';
  readonly title: string;
  readonly given: readonly ProviderState[];
  /** One after the other. */
  readonly requests: readonly [CaseRequest, ...CaseRequest[]];
  /** The response to the last request. Parts that are left out can be anything. */
  readonly expected: Partial<CaseResponse>;
}

/** A case without what the tables of cases add. */
export interface Case extends Pick<BehaviourCase, 'given' | 'requests' | 'expected'> {
  /** Whether it is a decision where the specification is silent. */
  readonly isDecided?: boolean;
}

/** Cases by what they show, in a sentence. */
export type Cases = Readonly<Record<string, Case>>;

/** A case: the states, the last response, and the requests, one after the other. */
export function when(given: readonly ProviderState[], expected: Case['expected'], ...requests: Case['requests']): Case {
  return { given, requests, expected };
}

/** A case of what is not found. */
export function notFound(given: readonly ProviderState[], ...requests: Case['requests']): Case {
  return when(given, problem('not-found'), ...requests);
}

/** A case for each element. */
export function casesOf<Element>(
  elements: readonly Element[],
  caseOf: (element: Element) => readonly [title: string, Case],
): Cases {
  return Object.fromEntries(elements.map(caseOf));
}

/** Decisions where the specification is silent. */
export function decided(cases: Cases): Cases {
  return Object.fromEntries(Object.entries(cases).map(([title, each]) => [title, { ...each, isDecided: true }]));
}

/** A response with status 200. */
export function ok(body: unknown): Partial<CaseResponse> {
  return { status: 200, headers: { ...having({}), 'content-type': 'application/json' }, body };
}

/** A problem (RFC 9457), with the faults of the input as pointer and code. */
export function problem(kind: ProblemKind, ...faults: readonly string[]): Partial<CaseResponse> {
  const errors = faults.map((fault) => {
    const [pointer, code] = fault.split(' ');
    return having({ pointer, code });
  });
  const fields = { type: problemType(kind), ...problemKinds[kind], requestId: 'that of the header' };
  return {
    status: problemKinds[kind].status,
    headers: { ...having({}), 'content-type': 'application/problem+json' },
    body: having({ ...fields, ...(errors.length > 0 && { errors }) }),
  };
}

/** A problem with headers. */
export function problemWith(kind: ProblemKind, headers: object): Partial<CaseResponse> {
  const plain = problem(kind);
  return { ...plain, headers: { ...plain.headers, ...headers } };
}

const isOpen = Symbol('isOpen');

/** An object with at least these fields. It does not have fields that are `undefined`. */
export function having(fields: object): object {
  return { [isOpen]: true, ...fields };
}

const anything = Symbol('anything');

/** The values in JSON, and the parts of addresses in it. */
export function valuesIn(value: unknown): unknown[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap((part) => valuesIn(part));
  if (typeof value !== 'string') return [value];
  const parts = value.split(/[ /?&=]+/).filter(Boolean);
  return [value, ...parts.map((part) => decoded(part))];
}

/**
 * An expected body in which fields can be anything that neither the states nor the requests name: they may have any
 * value.
 *
 * @param named the values of the states and of the requests
 */
export function onlyNamed(expected: unknown, named: ReadonlySet<unknown>, isField = false): unknown {
  if (Array.isArray(expected)) {
    const elements = expected.map((element) => onlyNamed(element, named, isField));
    return isField && elements.every((element) => element === anything) ? anything : elements;
  }
  if (kindOf(expected) === 'an object') {
    const fields = Object.entries(expected as object).map(([name, value]) => [name, onlyNamed(value, named, true)]);
    const isOther = isField && fields.every(([, value]) => value === anything);
    return isOther ? anything : { ...(expected as object), ...Object.fromEntries(fields) };
  }
  return isField && expected !== undefined && expected !== null && !named.has(expected) ? anything : expected;
}

/**
 * A place at which a response differs from the expected one.
 *
 * @sealed
 */
export interface Difference {
  /** Such as `body[0].address.city`. */
  readonly place: string;
  readonly expected: string;
  readonly got: string;
}

/** All fields of the elements of lists. */
export const documented: ReadonlySet<string> = new Set(
  [Changes, Person, Absence, SalaryHistoryEntry, TimeBookingDay, VariablePaymentDecision].flatMap(({ shape }) =>
    Object.keys(shape),
  ),
);
const MAX_SHOWN = 80;

/**
 * The differences of a response from the expected one, without its values.
 *
 * @param isStrict if not, what the specification leaves open is no difference: the order of elements, `null` instead of
 * a missing field, and undocumented fields
 */
export function differencesOf(expected: unknown, actual: unknown, isStrict: boolean, place = ''): Difference[] {
  if (
    expected === anything ||
    isDeepStrictEqual(expected, actual) ||
    (!isStrict && (expected ?? null) === (actual ?? null))
  )
    return [];
  const inside = (name: string | number, wanted: unknown, found: unknown): Difference[] => {
    const part = typeof name === 'number' ? `[${name}]` : `${place && '.'}${name}`;
    return differencesOf(wanted, found, isStrict, place + part);
  };
  if (Array.isArray(expected) && Array.isArray(actual) && expected.length === actual.length) {
    const found = isStrict ? (actual as unknown[]) : inOrderOf(expected, actual);
    return expected.flatMap((wanted, index) => inside(index, wanted, found[index]));
  }
  if (kindOf(expected) === 'an object' && kindOf(actual) === 'an object') {
    const [wanted, found] = [expected as Record<string, unknown>, actual as Record<string, unknown>];
    const others = isOpen in wanted ? [] : Object.keys(found).filter((name) => isStrict || documented.has(name));
    const names = new Set([...Object.keys(wanted), ...others]);
    return [...names].flatMap((name) => inside(name, wanted[name], found[name]));
  }
  const got = shown(actual);
  const isText = typeof expected !== 'object' && expected !== undefined;
  const text = isText ? JSON.stringify(expected).slice(0, MAX_SHOWN) : shown(expected);
  if (place === 'status') return [{ place, expected: text, got: String(actual) }];
  return [{ place, expected: text, got: kindOf(expected) === kindOf(actual) && isText ? 'another value' : got }];
}

function shown(value: unknown): string {
  return Array.isArray(value) ? `an array of ${value.length} elements` : kindOf(value);
}

/** Elements in the order of the expected ones that they equal; the others at the free places. */
function inOrderOf(expected: readonly unknown[], actual: readonly unknown[]): unknown[] {
  const left = [...actual];
  const equal = expected.map((wanted) => {
    const at = left.findIndex((found) => differencesOf(wanted, found, false).length === 0);
    return at < 0 ? [] : left.splice(at, 1);
  });
  return equal.map((found) => (found.length > 0 ? found[0] : left.shift()));
}
