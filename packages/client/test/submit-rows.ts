import { createHrClient } from '../src/index.ts';
import { openOutbox } from '../src/mirror/index.ts';
import { countingTokens } from './counting-tokens.ts';

const [baseUrl = '', file = '', source = '', rows = ''] = process.argv.slice(2);
const hr = createHrClient({ baseUrl, auth: countingTokens() });
using outbox = openOutbox({ file, source });

const payments = Array.from({ length: Number(rows) }, (_, index) => ({
  row: index + 1,
  contractId: `contract-${index + 1}`,
  payment: { billingPeriod: '2026-12', compensationComponentId: 'BONUS', amount: index + 1 },
}));
for await (const _ of outbox.submitBatch(hr, 'rows', payments));
