import { problemKinds, problemType, type ProblemKind } from '@hr/schemas/checks';

/**
 * One fault and its place.
 *
 * @sealed
 */
export interface HrProblemError {
  /** JSON Pointer (RFC 6901) such as `/addresses/0/zipCode`; in a list it starts with the index of the element. */
  readonly pointer: string;
  /** Code such as `too-long`: see `IssueCode` of `@hr/schemas`. Other services may send none. */
  readonly code: string | undefined;
}

/**
 * The safe part of a problem (RFC 9457): its kind and the invalid places. The client drops texts, which may quote
 * values.
 *
 * @sealed
 */
export interface HrProblem {
  /** The kind, if it is one of this API. */
  readonly kind: ProblemKind | (string & {}) | undefined;
  /** The URI of the kind. */
  readonly type: string;
  /** The title of the kind, from `problemKinds` of `@hr/schemas`. */
  readonly title: string | undefined;
  readonly status: number | undefined;
  /** The service's id of the request. Send it to the operator. */
  readonly requestId: string | undefined;
  readonly errors: readonly HrProblemError[];
  /** For `time-component-version`: the installed version, such as `63.11.9`. */
  readonly installed: string | undefined;
  /** For `time-component-version`: the minimum version, such as `63.11.20`. */
  readonly required: string | undefined;
  /** For `cursor-expired`: `history`, `grants` or `database`. In each case, read everything again. */
  readonly reason: string | undefined;
}

const MAX_ERRORS = 100;
const MAX_PLACES_SHOWN = 5;
const WITHOUT_TYPE = 'about:blank';
const typePattern = /^[a-z][a-z0-9+.-]{0,31}:[\w.~:/?#@!$&'()*+,;=%-]{1,200}$/i;
// A fragment, as in the examples of RFC 9457, is the same place. Matches only the leading plain names.
const pointerPattern = /^#?((?:\/[\w~.-]{0,80}(?=\/|$)){0,16})/;
const codePattern = /^[\w.-]{1,64}$/;
const requestIdPattern = /^[\w.:+/=-]{1,200}$/;
const versionPattern = /^\d[\d.]{0,63}$/;
const kinds = new Map<string, ProblemKind>(
  (Object.keys(problemKinds) as ProblemKind[]).map((kind) => [problemType(kind), kind]),
);

/**
 * Extracts the safe part of an error response; undefined if the body is not a JSON object. Missing and malformed
 * members are omitted.
 */
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
    reason: kind === 'cursor-expired' ? matching(codePattern, body['reason']) : undefined,
  };
}

/** A problem that the client found. */
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
    reason: undefined,
  };
}

/** The places and codes of a list of faults, without texts. */
export function placesOf(faults: readonly unknown[], base = ''): HrProblemError[] {
  return faults.slice(0, MAX_ERRORS).map((fault) => {
    const { pointer, code } = (fault ?? {}) as Partial<Record<'pointer' | 'code', unknown>>;
    const place = typeof pointer === 'string' ? (pointerPattern.exec(pointer)?.[1] ?? '') : '';
    return { pointer: base + place, code: matching(codePattern, code) };
  });
}

/** The service's id of a request, if it is well-formed. */
export function wellFormedRequestId(value: unknown): string | undefined {
  return matching(requestIdPattern, value);
}

/** The first places as a clause of a message, such as `: /bankDetails/iban too-long`. */
export function places(errors: readonly HrProblemError[], whole: string): string {
  const shown = errors
    .slice(0, MAX_PLACES_SHOWN)
    .map(({ pointer, code = 'is invalid' }) => `${pointer || whole} ${code}`);
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
