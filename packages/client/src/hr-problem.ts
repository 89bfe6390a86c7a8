import { problemKinds, problemType } from '@hr/schemas';
import type { ProblemKind } from '@hr/schemas';

/**
 * One place and what is wrong there.
 *
 * @sealed
 */
export interface HrProblemError {
  /** JSON Pointer (RFC 6901) such as `/addresses/0/zipCode`; in an answered list it begins with the element's index. */
  readonly pointer: string;
  /** Such as `too-long`; `IssueCode` of `@hr/schemas` lists those of this client and of the service. Others may give none. */
  readonly code: string | undefined;
}

/**
 * What is kept of a problem answer (RFC 9457): its kind, and which places are wrong. Its prose may quote values.
 *
 * @sealed
 */
export interface HrProblem {
  /** URI of the kind of problem. */
  readonly type: string;
  /** Of a kind that `problemKinds` of `@hr/schemas` knows, in its words. */
  readonly title: string | undefined;
  readonly status: number | undefined;
  /** The service's id of the request, to tell the operator. */
  readonly requestId: string | undefined;
  readonly errors: readonly HrProblemError[];
}

const MOST_ERRORS_KEPT = 100;
const MOST_PLACES_SHOWN = 5;
const WITHOUT_TYPE = 'about:blank';
const typePattern = /^[a-z][a-z0-9+.-]{0,31}:[\w.~:/?#@!$&'()*+,;=%-]{1,200}$/i;
// As far as the names are plain. A fragment, as in the examples of RFC 9457, is the same place.
const pointerPattern = /^#?((?:\/[\w~.-]{0,80}(?=\/|$)){0,16})/;
const codePattern = /^[\w.-]{1,64}$/;
const requestIdPattern = /^[\w.:+/=-]{1,200}$/;
const kinds = new Map<string, ProblemKind>(
  (Object.keys(problemKinds) as ProblemKind[]).map((kind) => [problemType(kind), kind]),
);

/** The kind that a type names, when it is one of this API. */
export function problemKind(type: string | undefined): ProblemKind | undefined {
  return type === undefined ? undefined : kinds.get(type);
}

/** Reduces the body of an error answer; undefined when that is no JSON object. What is missing or odd in it is left out. */
export function hrProblem(text: string | undefined): HrProblem | undefined {
  const body = jsonObject(text);
  if (!body) return undefined;
  const type = matching(typePattern, body['type']) ?? WITHOUT_TYPE;
  const kind = problemKind(type);
  const { status, errors } = body;
  return {
    type,
    title: kind && problemKinds[kind].title,
    status: Number.isInteger(status) ? (status as number) : undefined,
    requestId: wellFormedRequestId(body['requestId']),
    errors: Array.isArray(errors) ? placesOf(errors) : [],
  };
}

/** Only the places and codes of a list of faults. */
export function placesOf(faults: readonly unknown[], base = ''): HrProblemError[] {
  return faults.slice(0, MOST_ERRORS_KEPT).map((fault) => {
    const { pointer, code } = (fault ?? {}) as Partial<Record<'pointer' | 'code', unknown>>;
    const place = typeof pointer === 'string' ? (pointerPattern.exec(pointer)?.[1] ?? '') : '';
    return { pointer: base + place, code: matching(codePattern, code) };
  });
}

/** The service's id of a request, when it looks like one. */
export function wellFormedRequestId(value: unknown): string | undefined {
  return matching(requestIdPattern, value);
}

/** The first places as a clause for a message, such as `: /bankDetails/iban too-long`. */
export function places({ errors }: { readonly errors: readonly HrProblemError[] }): string {
  const shown = errors
    .slice(0, MOST_PLACES_SHOWN)
    .map(({ pointer, code = 'is wrong' }) => `${pointer || 'the whole'} ${code}`);
  return shown.length > 0 ? `: ${shown.join(', ')}` : '';
}

function matching(pattern: RegExp, value: unknown): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value : undefined;
}

function jsonObject(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return value as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
