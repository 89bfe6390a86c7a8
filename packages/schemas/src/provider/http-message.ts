import type { ProblemKind } from '../problem-kinds.ts';
import { HttpProblem } from './http-error.ts';

/** Maximum body size of an operation, in bytes. */
export const MAX_BODY_BYTES = 1024 * 1024;
/** Maximum form size of an OAuth endpoint, in bytes: its sender is not yet authenticated. */
export const MAX_FORM_BYTES = 16 * 1024;

/**
 * The headers of every response.
 *
 * @param requestId the id of the request, if the response has one
 * @example
 * responseHeaders('run-7'); // { 'cache-control': 'no-store', …, 'x-request-id': 'run-7' }
 */
export function responseHeaders(requestId?: string): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(requestId !== undefined && { 'x-request-id': requestId }),
  };
}

/**
 * The header `X-Request-Id` of a request if it is a UUID of any version, in either case; otherwise `undefined`. Anything
 * else could be made to look like the id of another request, or hold personal data.
 *
 * @example
 * acceptedRequestId('5d3f0c1e-8b7a-4c2e-9f10-2a6b4d8e7c91'); // '5d3f0c1e-8b7a-4c2e-9f10-2a6b4d8e7c91'
 */
export function acceptedRequestId(sent: string | null | undefined): string | undefined {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.exec(sent ?? '')?.[0];
}

const clientErrors: Readonly<Record<string, readonly [ProblemKind, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers-too-large', 'Send an address and headers of at most 16 KiB together.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'Send the whole request at once.'],
};

/**
 * The problem of bytes that are not a valid request.
 *
 * @param code the `code` of Node's `clientError`
 * @example
 * clientErrorProblem('HPE_HEADER_OVERFLOW').status; // 431
 */
export function clientErrorProblem(code: string | undefined): HttpProblem {
  return new HttpProblem(...(clientErrors[code ?? ''] ?? ['invalid-request', 'This is not valid HTTP/1.1.']));
}

/**
 * A problem as a complete HTTP/1.1 response, for a connection without a request. Close the connection after sending it.
 *
 * @param reasons the reason phrases of status codes: `STATUS_CODES` of `node:http`
 * @example
 * rawProblem(clientErrorProblem('HPE_INVALID_METHOD'), { requestId: 'run-7', reasons: { 400: 'Bad Request' } });
 */
export function rawProblem(
  problem: HttpProblem,
  {
    requestId,
    reasons,
  }: { readonly requestId: string; readonly reasons: Readonly<Record<number, string | undefined>> },
): string {
  const body = JSON.stringify(problem.body({ requestId }));
  const headers = {
    'content-type': problem.contentType,
    'content-length': new TextEncoder().encode(body).length,
    ...responseHeaders(requestId),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${problem.status} ${reasons[problem.status]}\r\n${lines.join('')}\r\n${body}`;
}
