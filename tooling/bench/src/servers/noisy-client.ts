import { setTimeout } from 'node:timers/promises';
import { request } from 'undici';
import { statusAndTime } from '../requests.ts';

// Does the worst that a client and an operator may do, until it is ended: 200 requests in flight, and an import.

const LISTS = 10;
const CHANGES = 190;
const IMPORTED = 5000;
const PAUSE_MS = 100;

const [origin = '', token = '', operatorToken = '', locked = ''] = process.argv.slice(2);
process.send?.('');
process.once('disconnect', () => process.exit());

async function repeat(work: (round: number) => Promise<unknown>): Promise<void> {
  for (let round = 0; ; round++) {
    // oxlint-disable-next-line no-await-in-loop -- again and again
    await work(round).catch(() => setTimeout(PAUSE_MS));
  }
}

/** Reads a list as slowly as the service allows. */
async function readSlowly(): Promise<void> {
  const { body } = await request(`${origin}/api/v1/persons`, { headers: { authorization: `Bearer ${token}` } });
  for await (const _ of body) await setTimeout(PAUSE_MS);
}

const payment = {
  path: `${locked}/variable-payments?billingPeriod=2026-10`,
  method: 'POST',
  body: JSON.stringify({ compensationComponentId: 'BONUS', amount: 250 }),
} as const;

const feed = (round: number): string =>
  Array.from({ length: IMPORTED }, (_, index) =>
    JSON.stringify({ kind: 'person', id: `noise-${index}`, firstName: `Round ${round}` }),
  ).join('\n');

await Promise.all([
  ...Array.from({ length: LISTS }, () => repeat(readSlowly)),
  ...Array.from({ length: CHANGES }, () => repeat(() => statusAndTime({ origin, token }, payment))),
  repeat((round) =>
    statusAndTime(
      { origin, token: operatorToken },
      { path: '/operator/v1/feed', method: 'POST', type: 'application/x-ndjson', body: feed(round) },
    ),
  ),
]);
