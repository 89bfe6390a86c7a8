import type { Task } from './program.ts';

/** A row of the table. */
export interface Failure {
  readonly name: string;
  /** What the server sends when it has read a request. Then it closes the connection, or waits for the client to do so. */
  readonly response?: string;
  /** Where the requests go: to the server if nothing else is said. */
  readonly target?: 'server' | 'closed' | 'nowhere' | 'blocked' | 'untrusted' | 'leaving';
  readonly twist?: Task['twist'];
}

function head(status: string, header = 'Content-Length: 0'): string {
  return `HTTP/1.1 ${status}\r\nConnection: close\r\n${header}\r\n\r\n`;
}

const unavailable = head('503 Service Unavailable');
const part = `${head('200 OK', 'Content-Length: 99')}[`;
const chunk = `${head('200 OK', 'Transfer-Encoding: chunked')}1\r\n[\r\n`;
const html = `${head('200 OK', 'Content-Length: 16')}<h1>Welcome</h1>`;

export const failures: readonly Failure[] = [
  { name: 'connection refused', target: 'closed' },
  { name: 'unknown host', target: 'nowhere' },
  { name: 'port that browsers block, 6666', target: 'blocked', response: unavailable },
  { name: 'untrusted certificate', target: 'untrusted' },
  { name: '`signal` aborted before the call', twist: 'aborted' },
  { name: '`signal` aborted while the call waits', twist: 'abort' },
  { name: 'no response: `attemptTimeout`', twist: 'hurry' },
  { name: 'new connection closed before the response' },
  { name: 'kept connection closed before the response', twist: 'kept' },
  { name: 'the same, then connection refused', twist: 'kept', target: 'leaving' },
  { name: 'bytes that are not HTTP', response: '\u0015\u0003\u0001 garbage\r\n\r\n' },
  { name: 'connection closed in the head of a 200', response: 'HTTP/1.1 200 OK\r\nContent-Len' },
  { name: 'connection closed in the body of a 200', response: part },
  { name: 'the same, in chunks', response: chunk },
  { name: 'body of a 200 that stalls: `idleTimeout`', response: part, twist: 'hurry' },
  { name: '200 with a body that is not JSON', response: html },
  { name: '206', response: head('206 Partial Content') },
  { name: '302', response: head('302 Found', 'Location: elsewhere\r\nContent-Length: 0') },
  { name: '408', response: head('408 Request Timeout') },
  { name: '429', response: head('429 Too Many Requests') },
  { name: '503', response: unavailable },
  { name: '503, with headers that browsers set themselves', response: unavailable, twist: 'headers' },
  { name: '`fetch` of yours that throws after a request', response: unavailable, twist: 'fetch' },
];
