import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { TokenGrant } from '../database/access-tokens.ts';
import { HttpProblem } from './http-problem.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, once that is proved. */
    clientId?: string;
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
 * Logs a request when its answer has ended, however it ended. What a line may hold is listed here: no address, no
 * header, no body and no error message gets in.
 */
export function logRequest(request: FastifyRequest, reply: FastifyReply, log: Logger): void {
  const { raw } = reply;
  const start = performance.now();
  raw.once('close', () => {
    const { url: route, config } = request.routeOptions;
    const { statusCode: status } = raw;
    // A fault of an answer that began well broke it.
    // A 503 that we mean is no failure.
    const isOurs = request.fault instanceof HttpProblem;
    const failed = (status >= 500 && !isOurs) || (status < 400 && request.fault !== undefined);
    log[failed ? 'error' : 'info']({
      requestId: request.id,
      operation: config.operation,
      method: request.method,
      route,
      ...(raw.headersSent && { status }),
      durationMs: Math.round(performance.now() - start),
      clientId: request.clientId,
      ...(!raw.writableFinished && { aborted: true }),
      ...(request.fault instanceof Error && { error: describe(request.fault, failed) }),
    });
  });
}

/** An error's name, code and stack frames. Its message may hold personal data. */
function describe(error: Error, withFrames: boolean): object {
  const stack = error.stack ?? '';
  const behindMessage = stack.slice(stack.indexOf(error.message) + error.message.length);
  const frames = behindMessage.split('\n').flatMap((line) => /^ {4}at (.+)$/.exec(line)?.[1] ?? []);
  return {
    name: error.name,
    ...('code' in error && { code: String(error.code) }),
    ...(withFrames && { frames }),
    ...(error.cause instanceof Error && { cause: describe(error.cause, withFrames) }),
  };
}
