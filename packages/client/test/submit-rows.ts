import { createHrClient } from '../src/index.ts';
import { openOutbox } from '../src/mirror/index.ts';
import { countingTokens } from './counting-tokens.ts';

const [baseUrl = '', file = '', source = '', rows = ''] = process.argv.slice(2);
const hr = createHrClient({ baseUrl, auth: countingTokens() });
using outbox = openOutbox({ file, source });
using _ = outbox.hold();

const submitted = new Set([...outbox.entries({ batch: 'rows' })].map(({ row }) => row));
const waiting = Array.from({ length: Number(rows) }, (_row, index) => index + 1)
  .filter((row) => !submitted.has(row))
  .values();

async function submitAll(): Promise<void> {
  for (const row of waiting) {
    const payment = { billingPeriod: '2026-12', compensationComponentId: 'BONUS', amount: row };
    // oxlint-disable-next-line no-await-in-loop -- at most four at the same time
    await outbox.submit(hr, `contract-${row}`, payment, { batch: 'rows', row });
  }
}
await Promise.all([submitAll(), submitAll(), submitAll(), submitAll()]);
