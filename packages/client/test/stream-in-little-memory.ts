import { parentPort } from 'node:worker_threads';
import { clientOf } from './service.ts';

// Reads a list that is much larger than this thread's heap, and tells how many elements it had.
const ELEMENTS_A_PIECE = 400;
const PIECES = 600;
const piece = new TextEncoder().encode(`{"id":"p1","jobTitle":"${'x'.repeat(170)}"},`.repeat(ELEMENTS_A_PIECE));

async function* list(): AsyncGenerator<Uint8Array> {
  yield Uint8Array.of(0x5b);
  for (let index = 1; index < PIECES; index++) yield piece;
  yield piece.with(piece.length - 1, 0x5d);
}

const fetch = async (): Promise<Response> => new Response(ReadableStream.from(list()));
let count = 0;
for await (const person of clientOf({ url: 'https://hr.example.com' }, { fetch }).persons.list()) {
  if (person.id === 'p1') count++;
}
// eslint-disable-next-line unicorn/require-post-message-target-origin -- A thread's port has no origin.
parentPort?.postMessage(count);
