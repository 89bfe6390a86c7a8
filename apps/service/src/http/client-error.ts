import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ProblemKind } from '@hr/schemas';
import { HttpProblem } from './http-problem.ts';
import type { RequestObserver } from './request-observer.ts';
import { PROBLEM_TYPE, safetyHeaders } from './send-problem.ts';

/** The answers that are under way on a connection. */
export type Answering = WeakMap<Duplex, Set<ServerResponse>>;

export function noteAnswer(answering: Answering, socket: Duplex, response: ServerResponse): void {
  const responses = answering.get(socket) ?? new Set();
  answering.set(socket, responses.add(response));
  // An early answer may be sent long before its request has ended.
  const forget = (): void => {
    if (response.closed && response.req.closed) responses.delete(response);
  };
  response.once('close', forget);
  response.req.once('close', forget);
}

const problems: Readonly<Record<string, readonly [ProblemKind, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers-too-large', 'Send an address and headers of at most 16 KiB together.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'Send the whole request at once.'],
  NO_PROXY: ['invalid-request', 'This is no proxy.'],
};

/** What CONNECT comes to. */
export function noProxy(): NodeJS.ErrnoException {
  return Object.assign(new Error('CONNECT was asked for'), { code: 'NO_PROXY' });
}

/** Answers on the bare connection what is not HTTP, too long or too slow, and so never becomes a request. */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  answering: Answering,
  observers: readonly RequestObserver[],
): void {
  const [kind, detail] = problems[error.code ?? ''] ?? ['invalid-request', 'This is not valid HTTP/1.1.'];
  const problem = new HttpProblem(kind, detail);
  const requestId = randomUUID();
  // Bytes in the middle of another answer would become part of it, and those before it would be taken for it.
  const begun = [...(answering.get(socket) ?? [])].some(({ headersSent, req }) => headersSent || req.complete);
  const answers = !begun && socket.writable;
  for (const observer of observers) {
    observer.refused({ requestId, status: answers ? problem.status : undefined, error });
  }
  if (!answers) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(problem.body({ requestId }));
  const headers = {
    'content-type': PROBLEM_TYPE,
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    connection: 'close',
    ...safetyHeaders,
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${head.join('')}\r\n${body}`);
}
