import type { RequestObserver } from '../http/request-observer.ts';
import type { ReadAudit } from './read-audit.ts';

/** Authentication failed, the token does not allow the request, or a limit is used up. */
const refusals = new Set([401, 403, 429]);

/**
 * Writes refused requests to the audit, with nothing that a request without valid credentials may have made up: the actor
 * is a client that exists, or `unknown`.
 */
export function refusalAudit(readAudit: Pick<ReadAudit, 'noteRefusal'>): RequestObserver {
  return {
    ended({ reply: { request }, status }) {
      const { operation } = request.routeOptions.config;
      if (operation === undefined || status === undefined || !refusals.has(status)) return;
      readAudit.noteRefusal({
        actor: request.clientId ?? request.claimedClientId ?? 'unknown',
        ...request.acting,
        operation,
        requestId: request.id,
        status,
      });
    },
    refused() {
      // It never came to a request.
    },
  };
}
