import type { FastifyRequest } from 'fastify';
import type { TokenGrant } from '../database/access-tokens.ts';
import { recordEvents } from '../database/audit-events.ts';
import type { JsonAnswer } from '../database/json-answer.ts';
import { pathSubject } from './path-subject.ts';
import type { Inputs, Route } from './route.ts';
import type { Runtime } from './service-context.ts';

/**
 * Answers a request from its route, and audits it: a change in its own transaction, a read when all of it was given. A
 * change of nothing is a read.
 * `undefined` where what the path names is unknown.
 */
export async function perform(
  route: Route,
  { id: requestId, grant }: FastifyRequest,
  inputs: Inputs,
  runtime: Runtime,
): Promise<JsonAnswer | undefined> {
  const { config, database, readAudit } = runtime;
  const call = { ...inputs, config, grant: grant as TokenGrant };
  const event = {
    actor: call.grant.clientId,
    operation: route.id,
    requestId,
    ...pathSubject(inputs.path as object),
  };
  if (route.method === 'GET') {
    readAudit.checkRoom();
    const answer = await route.answer({ ...call, database });
    if (answer) readAudit.note(answer, { ...event, ...answer.subject });
    return answer;
  }
  const answer = await database.transaction(async (transaction) => {
    const changed = await route.answer({ ...call, transaction });
    if (changed) {
      const { elements, subject } = changed;
      // An answer that tells of what was there before is read, also where nothing had to be changed.
      const done =
        elements > 0 ? ({ access: 'change', elements } as const) : ({ access: 'read', elements: 1 } as const);
      await recordEvents(transaction, [{ ...event, ...subject, ...done }]);
    }
    return changed;
  });
  if (answer) await route.afterwards?.(inputs.path, runtime);
  return answer;
}
