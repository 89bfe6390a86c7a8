import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { MAX_OPEN_LISTS_OF_CLIENT } from 'service/src/database/lists.ts';
import { amount } from '../figures.ts';
import { newToken, type Bench } from '../open-bench.ts';
import type { Part } from '../part.ts';
import { memoryOf, startService } from '../processes.ts';
import { timeToLastByte, type Caller } from '../requests.ts';

const READ_BYTES = 64 * 1024;
const SAMPLES = 30;

/** A reader that takes the first bytes of the list of persons and then none. */
async function stalledReader({ origin, token }: Caller): Promise<Socket> {
  const { port, hostname } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.write(`GET /api/v1/persons HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${token}\r\n\r\n`);
  let bytes = 0;
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.once('data', (head) => {
      const [status] = head.toString().split('\r\n', 1);
      if (!status?.includes(' 200 ')) reject(new Error(`The response to a stalled reader is ${status}.`));
    });
    socket.on('data', (chunk) => {
      bytes += chunk.length;
      if (bytes < READ_BYTES) return;
      socket.pause();
      resolve();
    });
  });
  return socket;
}

async function memoryOfReaders({ url, token, roundMs, database }: Bench, readers: number): Promise<number> {
  await using service = await startService(url);
  const caller = { origin: service.ready, token };
  await timeToLastByte(caller, '/api/v1/time-bookings?startDate=2099-01-01');
  await wait(roundMs);
  const idle = await memoryOf(service.child);
  const clients = { length: Math.ceil(readers / MAX_OPEN_LISTS_OF_CLIENT) };
  const tokens = await Array.fromAsync(clients, () => newToken(database, 'api:use'));
  const sockets = await Promise.all(
    Array.from({ length: readers }, (_, index) =>
      stalledReader({ origin: service.ready, token: tokens[index % tokens.length] ?? '' }),
    ),
  );
  let peak = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    // oxlint-disable-next-line no-await-in-loop -- one sample after the other
    peak = Math.max(peak, await memoryOf(service.child));
    // oxlint-disable-next-line no-await-in-loop
    await wait(roundMs / 10);
  }
  for (const socket of sockets) socket.destroy();
  return peak - idle;
}

/** The memory of the service while readers of the list of persons stand still. */
export const memory: Part = {
  name: 'memory',
  async run(bench) {
    return Array.fromAsync([1, 4, 100], async (readers) => {
      const turns = { length: Math.min(bench.turns, 3) };
      const values = await Array.fromAsync(turns, () => memoryOfReaders(bench, readers));
      const measure = `memory above idle with ${readers} stalled reader${readers === 1 ? '' : 's'}`;
      const missedBecause =
        'Their buffers are 24 MB of it. The rest is what V8 and malloc have grown by while they served so many: after a garbage collection the heap uses no more than before.';
      return amount({ measure, unit: 'MB', goal: '≤ 80', missedBecause }, values);
    });
  },
};
