import type { z } from 'zod';
import { compareComponentVersions, REQUIRED_TIME_COMPONENT_VERSION } from '../rules/component-version.ts';
import { HttpProblem } from './http-error.ts';
import { parseForm, readJson } from './decode.ts';
import { problems } from './problems.ts';
import { readInputs, type InputSchemas } from './read-inputs.ts';

/** The rest of a longer `Accept` header is ignored. */
const MAX_ACCEPT_LENGTH = 1000;
/** The media ranges that include JSON, least specific first (RFC 9110 section 12.5.1). */
const jsonRanges = ['*/*', '*/json', 'application/*', 'application/json'];

/**
 * Checks that the caller accepts JSON.
 *
 * @param accept the header `Accept`; a missing or empty one accepts everything
 * @throws {HttpProblem} `not-acceptable`.
 * @example
 * checkAccept('text/html'); // throws
 */
export function checkAccept(accept: string | null | undefined): void {
  if (!accept) return;
  let best = { specificity: 0, quality: 0 };
  for (const [, range = '', parameters = ''] of accept.slice(0, MAX_ACCEPT_LENGTH).matchAll(mediaRanges)) {
    const specificity = jsonRanges.indexOf(range.trim().toLowerCase());
    const quality = qualityOf(parameters);
    if (specificity < best.specificity || (specificity === best.specificity && quality < best.quality)) continue;
    best = { specificity, quality };
  }
  if (!(best.quality > 0)) throw new HttpProblem('not-acceptable', 'Accept application/json.');
}

const mediaRanges = /([^,;]+)((?:;[^,;="]*(?:=[ \t]*(?:"[^"]*")?[^,;]*)?)*)/g;
const parameter = /;[ \t]*([^;="]*?)[ \t]*=[ \t]*(?:"([^"]*)"|([^;"]*))/g;

function qualityOf(parameters: string): number {
  const [, , quoted, plain] = [...parameters.matchAll(parameter)].find(([, name]) => name?.toLowerCase() === 'q') ?? [];
  const value = (quoted ?? plain ?? '').trim();
  return value === '' ? 1 : Number.parseFloat(value);
}

/** The headers that describe a body. */
export interface BodyHeaders {
  readonly contentType: string | null | undefined;
  readonly contentEncoding: string | null | undefined;
  readonly hasBody: boolean;
}

const json = /^application\/json[ \t]*(?:;|$)/i;
const otherCharset = /;[ \t]*charset=(?!"?utf-8"?[ \t]*(?:;|$))/i;

/**
 * Checks that the body of an operation is uncompressed JSON in UTF-8.
 *
 * @param schema the model of the body; without one, any body is ignored
 * @throws {HttpProblem} `unsupported-media-type`.
 * @example
 * checkMediaType(operations.updatePerson.body, { contentType: 'text/plain', contentEncoding: null, hasBody: true }); // throws
 */
export function checkMediaType(schema: z.ZodType | undefined, headers: BodyHeaders): void {
  if (!schema || (!headers.hasBody && schema.safeParse(undefined).success)) return;
  const encoding = headers.contentEncoding ?? 'identity';
  const type = headers.contentType ?? '';
  if (!json.test(type) || otherCharset.test(type) || encoding.toLowerCase() !== 'identity') {
    throw problems.unsupportedMediaType();
  }
}

/** The conditional headers of a request (RFC 9110 section 13.1). */
export interface Preconditions {
  readonly ifMatch: string | null | undefined;
  readonly ifNoneMatch: string | null | undefined;
}

/**
 * Checks the preconditions of a change. Nothing has an entity tag, so `If-Match` holds for `*` only, and `If-None-Match`
 * for anything else. `If-Unmodified-Since` has no effect, because nothing has a date of modification.
 *
 * @param schema the model of the body; without one, the operation changes nothing and has no preconditions
 * @throws {HttpProblem} `precondition-failed`.
 * @example
 * checkPreconditions(operations.updatePerson.body, { ifMatch: '"a5f2"', ifNoneMatch: null }); // throws
 */
export function checkPreconditions(schema: z.ZodType | undefined, { ifMatch, ifNoneMatch }: Preconditions): void {
  if (!schema || ((ifMatch ?? '*') === '*' && ifNoneMatch !== '*')) return;
  throw problems.preconditionFailed();
}

/** The inputs of a request, unchecked. */
export interface SentRequest<Path> {
  /** The parameters of the path, decoded. */
  readonly path: Path;
  /** The query without its question mark. */
  readonly query: string;
  /** The header `Idempotency-Key`. */
  readonly idempotencyKey: string | null | undefined;
  readonly body: Uint8Array | undefined;
}

/** The checked inputs of a request. */
export interface Inputs<Path = unknown, Query = unknown, Body = unknown> {
  readonly path: Path;
  /** With the names of the operation table. */
  readonly query: Query;
  /** The parsed JSON, exactly as sent; `undefined` if the operation has no body. */
  readonly body: Body;
  /** `undefined` if the operation does not accept one. */
  readonly idempotencyKey: string | undefined;
}

/**
 * Reads and checks all inputs of a request to an operation.
 *
 * @throws {HttpProblem} `invalid-request`, which lists all issues.
 * @example
 * const sent = { path: {}, query: 'changedSince=2026-01-31', idempotencyKey: null, body: undefined };
 * checkInputs(operations.listPersons, sent).query; // { changedSince: '2026-01-31' }
 */
export function checkInputs<Path>(operation: InputSchemas, sent: SentRequest<Path>): Inputs<Path> {
  const { path } = sent;
  const fields = parseForm(sent.query);
  if (!fields) throw new HttpProblem('invalid-request', 'The query is not valid percent-encoded UTF-8.');
  const idempotencyKey = (operation.idempotencyKey && sent.idempotencyKey) ?? undefined;
  const body = operation.body && readJson(sent.body);
  const { query, issues } = readInputs(operation, { path, query: fields, idempotencyKey, body });
  if (issues.length > 0) throw problems.invalidRequest(issues);
  return { path, query, body, idempotencyKey };
}

/**
 * Checks that the time-recording component is new enough for the time operations (section 8).
 *
 * @throws {HttpProblem} `time-component-version`.
 * @example
 * checkTimeComponent('63.11.9'); // throws
 */
export function checkTimeComponent(installed: string): void {
  const required = REQUIRED_TIME_COMPONENT_VERSION;
  if (compareComponentVersions(installed, required) >= 0) return;
  throw new HttpProblem(
    'time-component-version',
    `The time-recording component is installed in version ${installed}; this needs ${required} or higher.`,
    { members: { installed, required } },
  );
}
