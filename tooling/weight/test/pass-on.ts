import { request as send } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Sends a request on to the service and its answer back. Who leaves ends both.
 *
 * @param onLeft where given, only the first piece of the answer is sent back, and this is called when the other side has left.
 */
export function passOn(
  service: string,
  request: IncomingMessage,
  response: ServerResponse,
  onLeft: (() => void) | undefined,
): void {
  const { method = '', url = '', headers } = request;
  const onward = send(new URL(url, service), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    if (onLeft) {
      answer.once('data', (piece) => response.write(piece));
      response.once('close', onLeft);
    } else {
      answer.pipe(response);
    }
  });
  onward.once('error', () => response.destroy());
  response.once('close', () => onward.destroy());
  request.pipe(onward);
}
