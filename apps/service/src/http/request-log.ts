import type { Logger } from 'pino';
import { describeError } from '../create-log.ts';
import type { TokenGrant } from '../clients/access-tokens.ts';
import type { RequestObserver } from './request-observer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, once that is proved. */
    clientId?: string;
    /** The client whose id came with a wrong secret; only one that exists. */
    claimedClientId?: string;
    /** What the request's token proves. */
    grant?: TokenGrant;
    /** What went wrong, for the log. */
    fault?: unknown;
  }
  interface FastifyContextConfig {
    operation?: string;
  }
}

/**
 * Logs each request when its answer has ended. What a line may hold is listed here: no address, no header, no body and
 * no error message gets in.
 */
export function requestLog(log: Logger): RequestObserver {
  return {
    ended({ reply: { request }, status, durationMs, aborted, failed }) {
      const { url: route, config } = request.routeOptions;
      log[failed ? 'error' : 'info']({
        requestId: request.id,
        operation: config.operation,
        method: request.method,
        route,
        ...(status !== undefined && { status }),
        durationMs: Math.round(durationMs),
        clientId: request.clientId,
        ...(aborted && { aborted }),
        ...(request.fault instanceof Error && { error: describeError(request.fault, failed) }),
      });
    },
    refused({ requestId, status, error }) {
      log.info({ requestId, ...(status !== undefined && { status }), error: { name: error.name, code: error.code } });
    },
  };
}
