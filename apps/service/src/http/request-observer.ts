import { HttpError } from '@hr/schemas/provider';
import type { FastifyReply } from 'fastify';
import { DatabaseBusyError } from '../database/database-errors.ts';
import { AccessEndedError } from './authentication.ts';

/** How a request ended. */
interface RequestEnd {
  readonly reply: FastifyReply;
  /** The status of the answer; `undefined` where the connection ended before there was one. */
  readonly status: number | undefined;
  readonly durationMs: number;
  /** Whether the connection ended before the answer did. */
  readonly aborted: boolean;
  /** Whether something failed here: a fault that was not meant, or one that broke an answer that had begun well. */
  readonly failed: boolean;
}

/** The end of a connection that sent no request, or broke off in one. */
interface Refusal {
  readonly requestId: string;
  /** The status of the answer on the bare connection; `undefined` where it cannot have one. */
  readonly status: number | undefined;
  readonly error: NodeJS.ErrnoException;
}

/** Sees what is asked and how it ends: the log is one, the metrics are another. */
export interface RequestObserver {
  began?(reply: FastifyReply): void;
  ended(end: RequestEnd): void;
  refused(refusal: Refusal): void;
}

/** Lets the observers see a request from now on until its answer has ended, however it ends. */
export function observeRequest(reply: FastifyReply, observers: readonly RequestObserver[]): void {
  const { raw, request } = reply;
  const start = performance.now();
  raw.on('close', () => {
    const status = raw.headersSent ? raw.statusCode : undefined;
    const end: RequestEnd = {
      reply,
      status,
      durationMs: performance.now() - start,
      aborted: !raw.writableFinished,
      failed: hasFailed(status, request.fault),
    };
    for (const observer of observers) observer.ended(end);
  });
  for (const observer of observers) observer.began?.(reply);
}

function hasFailed(status: number | undefined, fault: unknown): boolean {
  if (status === undefined) return false;
  // A list that was ended on purpose is no failure, and neither is a 503 that we mean.
  return status < 400
    ? fault !== undefined && !(fault instanceof DatabaseBusyError || fault instanceof AccessEndedError)
    : status >= 500 && !(fault instanceof HttpError);
}
