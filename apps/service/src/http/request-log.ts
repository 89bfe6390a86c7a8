import type { Logger } from 'pino';
import { describeError } from '../config/create-log.ts';
import type { Database } from '../database/database.ts';
import type { Acting } from './acting.ts';
import type { TokenGrant } from './grant.ts';
import type { RequestObserver } from './request-observer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, once that is proved. */
    clientId?: string;
    /** The client whose id came with a wrong secret; only one that exists. */
    claimedClientId?: string;
    /** What the request's token proves. */
    grant?: TokenGrant;
    /** For whom the client acts, once it is proved that it may say so. */
    acting?: Acting;
    /** Runs statements for the client. */
    database?: Database;
    /** Aborted when the client has left. */
    left?: AbortSignal;
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
        traceId: traceIdOf(request.headers['traceparent']),
        ...(aborted && { aborted }),
        ...(request.fault instanceof Error && { error: describeError(request.fault, failed) }),
      });
    },
    refused({ requestId, status, error }) {
      log.info({ requestId, ...(status !== undefined && { status }), error: { name: error.name, code: error.code } });
    },
  };
}

/** `00-TRACE_ID-PARENT_ID-FLAGS`; later versions may have more behind it. */
const traceParent = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(-.*)?$/;

/** The trace id of a request, by the header of the W3C's Trace Context; `undefined` if it has no valid one. */
function traceIdOf(header: string | string[] | undefined): string | undefined {
  const [, version, traceId, more] = traceParent.exec(String(header)) ?? [];
  return version === '00' && more !== undefined ? undefined : traceId;
}
