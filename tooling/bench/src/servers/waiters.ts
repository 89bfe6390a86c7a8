import { connect, type Socket } from 'node:net';

/** When the waits of a round were answered, in milliseconds since the epoch. */
export type Arrivals = readonly number[];

// Waits for changes again and again. Sends a message when all waits are on their way, and one when all were answered.

const [origin = '', count = '', ...tokens] = process.argv.slice(2);
const { hostname, port } = new URL(origin);
const cursorOf = (text: string): string => /"cursor":"([^"]+)"/.exec(text)?.[1] ?? '';

/** A connection with one wait after the other. */
class Waiter {
  readonly #socket: Socket;
  readonly #token: string;
  #received = '';
  #answered: ((cursor: string) => void) | undefined;

  constructor(token: string) {
    this.#token = token;
    this.#socket = connect(Number(port), hostname);
    this.#socket.setEncoding('latin1').on('data', (chunk: string) => {
      this.#received += chunk;
      if (!this.#received.endsWith('}')) return;
      if (!this.#received.includes(' 200 '))
        throw new Error(`The response to a wait is ${this.#received.slice(0, 12)}.`);
      this.#answered?.(cursorOf(this.#received));
    });
  }

  /** Gives the next cursor. */
  ask(query: string): Promise<string> {
    this.#received = '';
    const head = `GET /api/v1/changes${query} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${this.#token}\r\n\r\n`;
    this.#socket.write(head);
    return new Promise((resolve) => {
      this.#answered = resolve;
    });
  }
}

const waiters: Waiter[] = [];
const cursors: string[] = [];
// One after the other: so many connections at once would be refused.
while (waiters.length < Number(count)) {
  const waiter = new Waiter(tokens[waiters.length % tokens.length] ?? '');
  waiters.push(waiter);
  // oxlint-disable-next-line no-await-in-loop -- see above
  cursors.push(await waiter.ask(''));
}
process.once('disconnect', () => process.exit());
let arrivals: number[] = [];

/** Comes back at once, as clients do, whether others of the round were answered or not. */
async function waitAgain(waiter: Waiter, cursor: string): Promise<never> {
  for (let after = cursor; ;) {
    // oxlint-disable-next-line no-await-in-loop -- one wait after the other
    after = await waiter.ask(`?after=${after}&wait=50`);
    arrivals.push(performance.timeOrigin + performance.now());
    if (arrivals.length < waiters.length) continue;
    process.send?.(arrivals satisfies Arrivals);
    arrivals = [];
  }
}

const waits = waiters.map((waiter, index) => waitAgain(waiter, cursors[index] ?? ''));
process.send?.([]);
await Promise.all(waits);
