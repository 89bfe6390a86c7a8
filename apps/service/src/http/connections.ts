import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { clientErrorProblem, HttpProblem, rawProblem } from '@hr/schemas/provider';
import { networkOf } from './network.ts';
import { countUntilClosed, tooManyInFlight } from './requests-in-flight.ts';
import { isStreaming } from './streamed-body.ts';
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

/** More connections are closed at once. Each costs about 20 kB. */
const MAX_CONNECTIONS = 12_000;
/** So one caller cannot take all of them. */
const MAX_CONNECTIONS_OF_NETWORK = 2000;

/** How many connections are open, and how many were closed at once. */
export interface ConnectionCounts {
  open: number;
  refused: number;
}

/**
 * Limits the open connections of the process and of each network.
 *
 * @param proxies addresses and networks that may have all of them
 */
export function limitConnections(server: Server, proxies: readonly string[]): ConnectionCounts {
  const counts = { open: 0, refused: 0 };
  const ofNetwork = new Map<string, number>();
  const trusted = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits = isIPv6(proxy) ? '128' : '32'] = proxy.split('/');
    trusted.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  server.maxConnections = MAX_CONNECTIONS;
  server.on('drop', () => counts.refused++);
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const network = networkOf(address);
    const isFull = (ofNetwork.get(network) ?? 0) >= MAX_CONNECTIONS_OF_NETWORK;
    if (isFull && !trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) {
      counts.refused++;
      socket.destroy();
      return;
    }
    counts.open++;
    socket.on('close', () => counts.open--);
    countUntilClosed(ofNetwork, network, socket);
  });
  return counts;
}

/** The responses in flight of each connection. */
export type ResponsesInFlight = WeakMap<Duplex, Set<ServerResponse>>;

/** Node hands on every request of a connection as soon as it is read, without a wait for the responses before. */
const MAX_PIPELINED_REQUESTS = 50;

/**
 * Keeps a response until it is sent and its request has ended.
 *
 * @throws {HttpProblem} `too-many-requests` when the connection has too many; it closes the connection.
 */
export function trackResponse(inFlight: ResponsesInFlight, socket: Duplex, response: ServerResponse): void {
  const responses = inFlight.get(socket) ?? new Set();
  inFlight.set(socket, responses.add(response));
  // An early response may be sent long before its request has ended.
  const untrack = (): void => {
    if (response.closed && response.req.closed) responses.delete(response);
  };
  response.on('close', untrack);
  response.req.on('close', untrack);
  if (responses.size <= MAX_PIPELINED_REQUESTS) return;
  throw tooManyInFlight('pipelined', MAX_PIPELINED_REQUESTS, 'A connection', { connection: 'close' });
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
  const responses = [...(inFlight.get(socket) ?? [])];
  // Node stops in the middle of a request to wait for the responses before it, and measures on.
  const isWaiting = responses.some(({ closed, req }) => req.complete && !closed);
  // Node limits the time of the whole request; a stream ends itself when it stands still.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && (isWaiting || isStreaming(socket))) return;
  const problem =
    error.code === CONNECT_REJECTED
      ? new HttpProblem('invalid-request', 'This is no proxy.')
      : clientErrorProblem(error.code);
  const requestId = randomUUID();
  // Bytes in the middle of another response would become part of it, and those before it would be taken for it.
  const begun = responses.some(({ headersSent, req }) => headersSent || req.complete);
  const answers = !begun && socket.writable;
  for (const observer of observers) {
    observer.refused({ requestId, status: answers ? problem.status : undefined, error });
  }
  if (answers) socket.end(rawProblem(problem, { requestId, reasons: STATUS_CODES }));
  else socket.destroy();
}
