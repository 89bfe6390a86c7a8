import type { Inputs } from '@hr/schemas/provider';
import type { FastifyRequest } from 'fastify';
import { describeError } from '../config/create-log.ts';
import type { Database } from '../database/database.ts';
import type { JsonAnswer } from '../database/json-answer.ts';
import type { TokenGrant } from './grant.ts';
import { pathSubject } from './path-subject.ts';
import type { Route } from './route.ts';
import { streamedBody } from './streamed-body.ts';
import type { Runtime } from './runtime.ts';

/**
 * Handles a request, and audits it: a change in its own transaction, a read when all of it was sent. A change that is a
 * no-op is a read. `undefined` when the path names something unknown.
 */
export async function handleOperation(
  route: Route,
  request: FastifyRequest,
  inputs: Inputs,
  runtime: Runtime,
): Promise<JsonAnswer | undefined> {
  const { config, audit, cursors, changeFeed, testWebhook, stopping } = runtime;
  const { id: requestId, grant } = request;
  const database = request.database as Database;
  const { clientId } = grant as TokenGrant;
  const origin = { actor: clientId, requestId, ...request.acting };
  const call = { ...inputs, config, grant: grant as TokenGrant, origin };
  const subject = pathSubject(inputs.path as object, route.identified);
  const access = { ...origin, operation: route.id, ...subject };
  if (route.method === 'GET') {
    audit.checkRoom();
    const { left } = request as Required<FastifyRequest>;
    const answer = await route.answer({ ...call, database, cursors, changeFeed, signal: left });
    if (answer && !route.waits) audit.noteRead(answer, { ...access, ...answer.subject });
    return answer;
  }
  if (route.stream !== undefined) {
    const { stream, signal, end } = streamedBody(request, stopping);
    const isGzip = request.headers['content-encoding']?.toLowerCase() === 'gzip';
    return route.answer({ ...call, body: undefined, database, stream, signal, isGzip }).finally(end);
  }
  if (route.sends) return route.answer({ ...call, testWebhook });
  const answer = await database.transaction(async (transaction) => {
    const changed = await route.answer({ ...call, transaction });
    if (changed && !route.audits)
      await audit.recordChange(transaction, { ...access, ...changed.subject }, changed.elements);
    return changed;
  });
  try {
    if (answer) await route.afterwards?.(inputs.path, runtime);
  } catch (error) {
    // The change is durable, so its response says so.
    const described = describeError(error as Error, true);
    runtime.log.error({ operation: route.id, error: described }, 'The change is stored, but what follows it failed.');
  }
  return answer;
}
