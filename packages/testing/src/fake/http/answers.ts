import { HttpProblem } from './http-problem.ts';
import type { ReceivedRequest } from './received-request.ts';
import { TokenRefusal } from './token-refusal.ts';

/** A JSON answer. */
export function jsonAnswer(
  { id }: ReceivedRequest,
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': id,
      ...headers,
    },
  });
}

/** The answer of whatever was thrown on the way of a request; what is no answer is thrown on. */
export function thrownAnswer(thrown: unknown, request: ReceivedRequest): Response {
  if (thrown instanceof TokenRefusal) return jsonAnswer(request, thrown.status, thrown.body(), thrown.headers);
  if (!(thrown instanceof HttpProblem)) throw thrown;
  const body = thrown.body({ instance: request.path, requestId: request.id });
  return jsonAnswer(request, thrown.status, body, { 'content-type': 'application/problem+json', ...thrown.headers });
}

/** An answer that breaks off in the middle. */
export async function truncated(answer: Response): Promise<Response> {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const body = new ReadableStream(
    {
      start: (controller) => controller.enqueue(bytes.slice(0, Math.ceil(bytes.length / 2))),
      pull: (controller) => controller.error(new TypeError('This answer was told to break off.')),
    },
    // Otherwise it would break before the first half was read.
    { highWaterMark: 0 },
  );
  return new Response(body, { status: answer.status, headers: answer.headers });
}
