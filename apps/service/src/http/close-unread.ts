import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The maximum of an unread body that is dropped, so that its connection can be used again. */
const MAX_DROPPED_BYTES = 64 * 1024;
/** A sender that is still writing when it gets the response may go on for so long, and so much, before it is cut off. */
const LINGER_MS = 5000;
const LINGER_BYTES = 32 * 1024 * 1024;

/**
 * Closes the connection after the response if that says so, or if much of the body is unread, or its length is unknown.
 * Node would read and drop the rest until the request times out.
 */
export function closeUnread({ raw, headers }: FastifyRequest, reply: FastifyReply): void {
  const isShort =
    headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) <= MAX_DROPPED_BYTES;
  if (reply.getHeader('connection') !== 'close' && (raw.complete || isShort)) return;
  reply.header('connection', 'close');
  const { socket } = raw;
  // Node calls it after such a response. It would destroy the connection, and a sender that is still writing would get
  // a reset, which can take the response away that it has not read yet.
  socket.destroySoon = () => linger(socket);
}

/** Sends the end of the connection, and drops what comes until the other side ends it, too. */
function linger(socket: Socket): void {
  let dropped = 0;
  // What follows is part of no request, so the parser must not see it.
  socket.removeAllListeners('data').removeAllListeners('end');
  socket.on('data', (bytes: Buffer) => {
    dropped += bytes.length;
    if (dropped > LINGER_BYTES) socket.destroy();
  });
  socket.once('end', () => socket.destroy());
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.end();
  socket.resume();
  // The parser may have stopped to read from the connection, which the stream does not know of.
  // oxlint-disable-next-line no-underscore-dangle -- what a stream calls to begin to read
  socket._read(0);
}
