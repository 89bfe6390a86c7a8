import { Problem } from '@hr/schemas';

/** One place and what is wrong there. */
export interface HrProblemError {
  /** JSON Pointer (RFC 6901) such as `/addresses/0/zipCode`; in an answered list it begins with the element's index. */
  readonly pointer: string;
  /** Such as `too-long`; `IssueCode` of `@hr/schemas` lists those of this client and of the service. */
  readonly code: string;
}

/** What is kept of a problem answer (RFC 9457): its kind, and which places are wrong. Its prose may quote values. */
export interface HrProblem {
  /** URI of the kind of problem. */
  readonly type: string;
  readonly title: string;
  readonly status: number | undefined;
  /** The service's id of the request, to tell the operator. */
  readonly requestId: string | undefined;
  readonly errors: readonly HrProblemError[];
}

const LONGEST_TEXT_KEPT = 200;
const MOST_ERRORS_KEPT = 100;
const MOST_PLACES_SHOWN = 5;
const requestIdPattern = /^[\w.:+/=-]{1,200}$/;

/** Reduces the body of an error answer; undefined when that is no problem. */
export function hrProblem(body: unknown): HrProblem | undefined {
  const { data } = Problem.safeParse(body);
  return (
    data && {
      type: data.type.slice(0, LONGEST_TEXT_KEPT),
      title: data.title.slice(0, LONGEST_TEXT_KEPT),
      status: data.status,
      requestId: wellFormedRequestId(data.requestId),
      errors: placesOf(data.errors ?? []),
    }
  );
}

/** Only the places and codes of a list of faults. */
export function placesOf(faults: readonly HrProblemError[], base = ''): HrProblemError[] {
  return faults.slice(0, MOST_ERRORS_KEPT).map(({ pointer, code }) => ({
    pointer: base + pointer.slice(0, LONGEST_TEXT_KEPT),
    code: code.slice(0, LONGEST_TEXT_KEPT),
  }));
}

/** The service's id of a request, when it looks like one. */
export function wellFormedRequestId(value: string | null | undefined): string | undefined {
  return value && requestIdPattern.test(value) ? value : undefined;
}

/** The first places as a clause for a message, such as `: /bankDetails/iban too-long`. */
export function places({ errors }: { readonly errors: readonly HrProblemError[] }): string {
  const shown = errors.slice(0, MOST_PLACES_SHOWN).map(({ pointer, code }) => `${pointer || 'the whole'} ${code}`);
  return shown.length > 0 ? `: ${shown.join(', ')}` : '';
}
