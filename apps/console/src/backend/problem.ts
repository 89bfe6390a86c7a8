import { isAuthError } from '@hr/auth';
import { isHrError, type HrError } from '@hr/client';
import { isMirrorError } from '@hr/client/mirror';
import { operations } from '@hr/schemas';
import type { z } from 'zod';

/** A fault at a place of the input. */
export interface Fault {
  /** JSON pointer. */
  readonly pointer: string;
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
}

/** The status of a response by why a request failed. */
const statuses = {
  'signed-out': 401,
  forbidden: 403,
  'invalid-input': 400,
  'not-found': 404,
  conflict: 409,
  'too-many-requests': 429,
  /** The service rejected the change; it had no effect. */
  rejected: 422,
  /** The service may have made the change. */
  'outcome-unknown': 502,
  /** The service made only a part of the change. */
  'partly-changed': 502,
  /** The service did not answer, or failed; nothing was changed. */
  'service-unavailable': 503,
  /** The console cannot write to its disk, such as because it is full. */
  'cannot-store': 507,
  internal: 500,
};

/** Why a request failed. The browser has a text for each. */
export type ProblemCode = keyof typeof statuses;

/** The body of a response that reports a problem. It contains no personal data, token or secret. */
export interface ProblemBody {
  readonly code: ProblemCode;
  /** For developers, in English. */
  readonly detail: string;
  /** The service's id of the request. An operator finds it in the log and the audit. */
  readonly requestId?: string | undefined;
  readonly errors?: readonly Fault[] | undefined;
  /** How to sign in. Only of `signed-out`. */
  readonly signIn?: 'link' | 'provider' | undefined;
}

/** A problem that a handler reports to the browser. */
export class Problem extends Error {
  override name = 'Problem';
  readonly body: ProblemBody;

  constructor(code: ProblemCode, detail: string, more: Omit<ProblemBody, 'code' | 'detail'> = {}) {
    super(detail);
    this.body = { code, detail, ...more };
  }

  get status(): number {
    return statuses[this.body.code];
  }
}

/** Checks input of the browser. */
export function parseInput<T extends z.ZodType>(model: T, input: unknown): z.infer<T> {
  const { success, data, error } = model.safeParse(input);
  if (success) return data;
  const errors = error.issues.map(({ path, code, message }) => ({
    pointer: path.map((name) => `/${String(name)}`).join(''),
    code,
    detail: message,
  }));
  throw new Problem('invalid-input', 'The request has invalid input.', { errors });
}

/** Returns what the browser is told about an error. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (isOfDisk(error)) return new Problem('cannot-store', 'The disk of the console is full, read-only or damaged.');
  if (isHrError(error)) return problemOfCall(error);
  if (isAuthError(error)) return new Problem('service-unavailable', `The console gets no access token: ${error.code}.`);
  if (isMirrorError(error)) return new Problem('service-unavailable', `The local copy cannot be used: ${error.code}.`);
  const status = (error as { statusCode?: unknown } | undefined)?.statusCode;
  if (status === statuses['too-many-requests'])
    return new Problem('too-many-requests', 'Too many requests. Wait a minute.');
  if (typeof status === 'number' && status < 500) return new Problem('invalid-input', 'The request is malformed.');
  return new Problem('internal', 'The console failed. Its log has the reason.');
}

/** SQLite reports an I/O error, a full disk, a file that cannot be opened, and one that must not be written. */
const diskErrors: ReadonlySet<unknown> = new Set([8, 10, 13, 14]);

/** Does a write that can be left out while the disk is full or read-only. */
export function tryToStore<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!isOfDisk(error)) throw error;
    return undefined;
  }
}

/** Whether the console could not write to its disk, or read from it. */
function isOfDisk(error: unknown): boolean {
  if (isMirrorError(error)) return error.code === 'cannot-write';
  const { code, errcode = 0 } = (error ?? {}) as { readonly code?: unknown; readonly errcode?: number };
  // The lower byte is the kind of error.
  return code === 'ERR_SQLITE_ERROR' && diskErrors.has(errcode & 0xff);
}

function problemOfCall({ code, operation, outcome, status, requestId, problem }: HrError): Problem {
  const place = `${operation}: ${code}${status === undefined ? '' : `, status ${status}`}.`;
  const isRead = operation !== undefined && operations[operation].method === 'GET';
  if (!isRead && (outcome === 'unknown' || outcome === 'accepted'))
    return new Problem('outcome-unknown', place, { requestId });
  if (status === 404) return new Problem('not-found', place, { requestId });
  if (outcome === 'rejected' || code === 'invalid-request') {
    return new Problem('rejected', place, { requestId, errors: problem?.errors });
  }
  return new Problem('service-unavailable', place, { requestId });
}
