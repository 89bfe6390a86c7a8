import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { clientErrorProblem, HttpProblem, rawProblem } from '@hr/schemas/provider';
import type { RequestObserver } from './request-observer.ts';

/** Answers what a sender expects of the server (RFC 9110 section 10.1.1). */
export function expectContinue(server: Server): void {
  server.on('checkContinue', (request, response) => {
    // While another response of the connection is in flight, Node would write the interim one into it.
    if (response.socket) response.writeContinue();
    server.emit('request', request, response);
  });
  // Any other expectation may be ignored. Node would reject it, with a response that is not a problem.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}

/** The responses in flight of each connection. */
export type ResponsesInFlight = WeakMap<Duplex, Set<ServerResponse>>;

export function trackResponse(inFlight: ResponsesInFlight, socket: Duplex, response: ServerResponse): void {
  const responses = inFlight.get(socket) ?? new Set();
  inFlight.set(socket, responses.add(response));
  // An early response may be sent long before its request has ended.
  const untrack = (): void => {
    if (response.closed && response.req.closed) responses.delete(response);
  };
  response.once('close', untrack);
  response.req.once('close', untrack);
}

const CONNECT_REJECTED = 'CONNECT_REJECTED';

/** The error of a connection that asks for CONNECT. */
export function connectRejected(): NodeJS.ErrnoException {
  return Object.assign(new Error('CONNECT is not supported'), { code: CONNECT_REJECTED });
}

/** Answers on the bare connection what is not HTTP, too long or too slow, and so never becomes a request. */
export function answerClientError(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  inFlight: ResponsesInFlight,
  observers: readonly RequestObserver[],
): void {
  const problem =
    error.code === CONNECT_REJECTED
      ? new HttpProblem('invalid-request', 'This is no proxy.')
      : clientErrorProblem(error.code);
  const requestId = randomUUID();
  // Bytes in the middle of another response would become part of it, and those before it would be taken for it.
  const begun = [...(inFlight.get(socket) ?? [])].some(({ headersSent, req }) => headersSent || req.complete);
  const answers = !begun && socket.writable;
  for (const observer of observers) {
    observer.refused({ requestId, status: answers ? problem.status : undefined, error });
  }
  if (answers) socket.end(rawProblem(problem, { requestId, reasons: STATUS_CODES }));
  else socket.destroy();
}
