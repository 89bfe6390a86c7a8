import { problemKinds, problemType } from '@hr/schemas';
import type { ProblemKind } from '@hr/schemas';

/**
 * One fault and its place.
 *
 * @sealed
 */
export interface HrProblemError {
  /** JSON Pointer (RFC 6901) such as `/addresses/0/zipCode`; in a list it begins with the element's index. */
  readonly pointer: string;
  /** Such as `too-long`; `IssueCode` of `@hr/schemas` lists the codes of this client and of the service. Other services may send none. */
  readonly code: string | undefined;
}

/**
 * The safe part of a problem (RFC 9457): its kind, and the places that are invalid. Its prose may quote values, so it is
 * dropped.
 *
 * @sealed
 */
export interface HrProblem {
  /** The kind, where it is one of this API. */
  readonly kind: ProblemKind | undefined;
  /** The URI of the kind. */
  readonly type: string;
  /** The title of the kind, from `problemKinds` of `@hr/schemas`. */
  readonly title: string | undefined;
  readonly status: number | undefined;
  /** The service's id of the request, for the operator. */
  readonly requestId: string | undefined;
  readonly errors: readonly HrProblemError[];
  /** Of `time-component-version`: the installed version, such as `63.11.9`. */
  readonly installed: string | undefined;
  /** Of `time-component-version`: the minimum version, such as `63.11.20`. */
  readonly required: string | undefined;
}

const MAX_ERRORS = 100;
const MAX_PLACES_SHOWN = 5;
const WITHOUT_TYPE = 'about:blank';
const typePattern = /^[a-z][a-z0-9+.-]{0,31}:[\w.~:/?#@!$&'()*+,;=%-]{1,200}$/i;
// As far as the names are plain. A fragment, as in the examples of RFC 9457, is the same place.
const pointerPattern = /^#?((?:\/[\w~.-]{0,80}(?=\/|$)){0,16})/;
const codePattern = /^[\w.-]{1,64}$/;
const requestIdPattern = /^[\w.:+/=-]{1,200}$/;
const versionPattern = /^\d[\d.]{0,63}$/;
const kinds = new Map<string, ProblemKind>(
  (Object.keys(problemKinds) as ProblemKind[]).map((kind) => [problemType(kind), kind]),
);

/** Reduces the body of an error response; undefined when it is not a JSON object. Missing or malformed members are left out. */
export function hrProblem(text: string | undefined): HrProblem | undefined {
  const body = jsonObject(text);
  if (!body) return undefined;
  const type = matching(typePattern, body['type']) ?? WITHOUT_TYPE;
  const kind = kinds.get(type);
  const { status, errors } = body;
  return {
    kind,
    type,
    title: kind && problemKinds[kind].title,
    status: Number.isInteger(status) ? (status as number) : undefined,
    requestId: wellFormedRequestId(body['requestId']),
    errors: Array.isArray(errors) ? placesOf(errors) : [],
    installed: matching(versionPattern, body['installed']),
    required: matching(versionPattern, body['required']),
  };
}

/** The problem that this client found itself. */
export function ownProblem(kind: ProblemKind | undefined, errors: readonly HrProblemError[]): HrProblem {
  return {
    kind,
    type: kind ? problemType(kind) : WITHOUT_TYPE,
    title: kind ? problemKinds[kind].title : 'Invalid response',
    status: undefined,
    requestId: undefined,
    errors,
    installed: undefined,
    required: undefined,
  };
}

/** The places and codes of a list of faults, and nothing else. */
export function placesOf(faults: readonly unknown[], base = ''): HrProblemError[] {
  return faults.slice(0, MAX_ERRORS).map((fault) => {
    const { pointer, code } = (fault ?? {}) as Partial<Record<'pointer' | 'code', unknown>>;
    const place = typeof pointer === 'string' ? (pointerPattern.exec(pointer)?.[1] ?? '') : '';
    return { pointer: base + place, code: matching(codePattern, code) };
  });
}

/** The service's id of a request, where it is well-formed. */
export function wellFormedRequestId(value: unknown): string | undefined {
  return matching(requestIdPattern, value);
}

/** The first places as a clause of a message, such as `: /bankDetails/iban too-long`. */
export function places({ errors }: { readonly errors: readonly HrProblemError[] }): string {
  const shown = errors
    .slice(0, MAX_PLACES_SHOWN)
    .map(({ pointer, code = 'is invalid' }) => `${pointer || 'the whole'} ${code}`);
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
