import type { FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { HttpProblem } from './http-problem.ts';
import { unsupportedMediaType } from './problem-of.ts';
import type { Route } from './route.ts';

/** Refuses a reader that takes no JSON. */
export function checkAccept(request: FastifyRequest): void {
  if (new Negotiator(request.raw).mediaType(['application/json'])) return;
  throw new HttpProblem('not-acceptable', 'Accept application/json.');
}

const json = /^application\/json[ \t]*(?:;[ \t]*charset=(?:utf-8|"utf-8")[ \t]*)?$/i;

/** Refuses a body of another media type than JSON, and one without a type. */
export function checkMediaType({ body }: Route, { headers }: FastifyRequest): void {
  if (!body) return;
  const sent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!sent && body.safeParse(undefined).success) return;
  const encoding = headers['content-encoding'] ?? 'identity';
  if (!json.test(headers['content-type'] ?? '') || encoding.toLowerCase() !== 'identity') throw unsupportedMediaType();
}
