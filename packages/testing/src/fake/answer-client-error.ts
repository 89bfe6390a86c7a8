import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { HttpProblem } from './http/http-problem.ts';

/** Answers on the bare connection what is too long, or not HTTP, and so never becomes a request. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = 'fake-none';
  const problem =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? new HttpProblem('headers-too-large', 'Send an address and headers of at most 16 KiB together.')
      : new HttpProblem('invalid-request', 'This is not valid HTTP/1.1.');
  const body = JSON.stringify(problem.body({ requestId }));
  const headers = {
    'content-type': 'application/problem+json',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${head.join('')}\r\n${body}`);
}
