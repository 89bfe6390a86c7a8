import { Readable } from 'node:stream';
import { company } from '@hr/testing/fixtures';
import type { Payment } from '@hr/testing/fixtures';
import type { Database, Queries } from '../database/database.ts';
import { decidePayment } from '../payroll/variable-payments.ts';
import { submitPayment } from '../payroll/submit-variable-payment.ts';
import { demoRecords } from './demo-records.ts';
import { importFeed } from '../feed/import-feed.ts';
import type { ImportSummary } from '../feed/import-feed.ts';

const PERSONS = 300;

/** Loads a made company, the same every time, as a feed. Where there are no payments yet, it makes some of each state. */
export async function loadDemo(database: Database): Promise<ImportSummary> {
  const { feed, payments } = demoCompany();
  const summary = await importFeed(database, [{ name: 'demo', bytes: Readable.from([Buffer.from(feed)]) }]);
  await database.transaction((transaction) => makePayments(transaction, payments));
  return summary;
}

/** The company of the demo, as a feed and variable payments. */
export function demoCompany(): { readonly feed: string; readonly payments: readonly Payment[] } {
  const members = [...company({ persons: PERSONS })];
  const lines = members.flatMap(demoRecords).map((record) => `${JSON.stringify(record)}\n`);
  return { feed: lines.join(''), payments: members.flatMap((member) => member.payments) };
}

async function makePayments(transaction: Queries, payments: readonly Payment[]): Promise<void> {
  const [known] = await transaction.query('select from variable_payment limit 1');
  if (known) return;
  // oxlint-disable no-await-in-loop -- a transaction runs one statement at a time
  for (const { payrollContractId, billingPeriod, state: _state, ...payment } of payments) {
    await submitPayment(transaction, { payrollContractId, billingPeriod, payment, clientId: 'demo' });
  }
  const submitted = await transaction.query<{ id: string }>(
    'select id::text from variable_payment order by variable_payment.id',
  );
  for (const [index, { id }] of submitted.entries()) {
    const state = payments[index]?.state ?? 'submitted';
    if (state !== 'submitted') await decidePayment(transaction, { id, state, decidedBy: 'operator' });
  }
  // oxlint-enable no-await-in-loop
}
