import { connect, type Socket } from 'node:net';
import { readAnswer, type HttpAnswer } from './read-answer.ts';

/** Well below the half minute that the service gives a request: what takes longer hangs. */
const LONGEST_WAIT_MS = 60_000;

/** A connection that is kept alive as long as the service wants; then it is another one. */
export interface HttpConnection {
  /**
   * Sends one request and waits for its answer; `undefined` where the connection ended without one. It rejects where
   * something else came, or something beside it.
   */
  exchange(request: Buffer, withoutBody: boolean): Promise<HttpAnswer | undefined>;
  close(): void;
}

export function httpConnection(port: number): HttpConnection {
  let kept: Socket | undefined;
  const open = (): Socket => connect(port, '127.0.0.1').on('error', () => {});

  async function exchange(request: Buffer, withoutBody: boolean): Promise<HttpAnswer | undefined> {
    const fresh = !kept?.writable;
    const socket = fresh || !kept ? open() : kept;
    kept = socket;
    try {
      const answer = await oneAnswer(socket, request, withoutBody);
      if (!answer && !fresh) return await exchange(request, withoutBody);
      if (answer?.headers.get('connection') === 'close') socket.destroy();
      return answer;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }
  return { exchange, close: () => kept?.destroy() };
}

async function oneAnswer(socket: Socket, request: Buffer, withoutBody: boolean): Promise<HttpAnswer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer | undefined>();
  let received: Buffer = Buffer.of();
  const onData = (chunk: Buffer): void => {
    received = Buffer.concat([received, chunk]);
    try {
      for (let read = readAnswer(received, withoutBody); read; read = readAnswer(received, withoutBody)) {
        received = read.rest;
        if (read.answer.status < 200) continue;
        // What is no HTTP is answered with a body whatever was asked, and the connection closed.
        const isRefused = withoutBody && read.answer.headers.get('connection') === 'close';
        if (received.length > 0 && !isRefused) throw new Error('Something came behind the answer.');
        resolve(read.answer);
        return;
      }
    } catch (error) {
      reject(error);
    }
  };
  const onClose = (): void => resolve(undefined);
  const timer = setTimeout(() => reject(new Error('No answer came, and the connection is open.')), LONGEST_WAIT_MS);
  socket.off('data', onStray).on('data', onData).once('close', onClose);
  socket.write(request);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.off('data', onData).off('close', onClose).on('data', onStray);
  }
}

function onStray(): never {
  throw new Error('Something came that nothing had asked for.');
}

/**
 * Sends any bytes on a connection of their own, and no more, and reads until it is closed: complete answers, without
 * interim ones. It rejects where something else than answers came.
 */
export async function rawExchange(port: number, bytes: Buffer): Promise<HttpAnswer[]> {
  const { promise: closed, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket
    .on('data', (chunk: Buffer) => chunks.push(chunk))
    .on('error', () => {})
    .once('close', resolve);
  const timer = setTimeout(() => {
    socket.destroy();
    reject(new Error('The connection stays open although nothing more is sent.'));
  }, LONGEST_WAIT_MS);
  socket.end(bytes);
  await closed;
  clearTimeout(timer);
  // Only HEAD is answered without its body, and what was asked is not known for certain here.
  const asksHead = bytes.includes('HEAD');
  const next = (rest: Buffer): ReturnType<typeof readAnswer> =>
    readAnswer(rest, asksHead && rest.indexOf('\r\n\r\nHTTP/1.1 ') === rest.indexOf('\r\n\r\n'));
  const answers: HttpAnswer[] = [];
  for (let read = next(Buffer.concat(chunks)); read; read = next(read.rest)) {
    if (read.answer.status >= 200) answers.push(read.answer);
  }
  return answers;
}
