import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { HttpProblem } from './http-problem.ts';
import { unsupportedMediaType } from './problem-of.ts';
import type { Route } from './route.ts';

/** Of a longer one the rest is not looked at: that would take time that grows with the square of its length. */
const LONGEST_ACCEPT = 1000;

/** Refuses a reader that takes no JSON. */
export function checkAccept(request: FastifyRequest): void {
  const { accept: sent = '' } = request.headers;
  // Negotiator compares parameters; JSON has none that matter.
  const accept = sent.slice(0, LONGEST_ACCEPT).replaceAll(/;(?!\s*q\s*=)[^;,=]+=(?:"[^"]*"|[^;,"]*)/gi, '') || '*/*';
  if (new Negotiator({ headers: { accept } }).mediaType(['application/json'])) return;
  throw new HttpProblem('not-acceptable', 'Accept application/json.');
}

const json = /^application\/json[ \t]*(?:;|$)/i;
const otherCharset = /;[ \t]*charset=(?!"?utf-8"?[ \t]*(?:;|$))/i;

/** Refuses a body of another media type than JSON, and one without a type. */
export function checkMediaType({ body }: Route, { headers }: FastifyRequest): void {
  if (!body) return;
  const sent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!sent && body.safeParse(undefined).success) return;
  const encoding = headers['content-encoding'] ?? 'identity';
  const type = headers['content-type'] ?? '';
  if (!json.test(type) || otherCharset.test(type) || encoding.toLowerCase() !== 'identity')
    throw unsupportedMediaType();
}
