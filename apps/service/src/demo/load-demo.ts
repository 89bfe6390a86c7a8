import { Readable } from 'node:stream';
import { company } from '@hr/testing/fixtures';
import type { Member, Payment } from '@hr/testing/fixtures';
import type { Database, Queries } from '../database/database.ts';
import { decidePayment } from '../payroll/variable-payments.ts';
import { submitVariablePayment } from '../payroll/submit-variable-payment.ts';
import { importFeed } from '../feed/import-feed.ts';
import type { ImportProgress } from '../feed/import-run.ts';

const PERSONS = 300;

/** Loads a made company, the same every time, as a feed. Where there are no payments yet, it makes some of each state. */
export async function loadDemo(database: Database): Promise<ImportProgress> {
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
    await submitVariablePayment(transaction, { payrollContractId, billingPeriod, payment, clientId: 'demo' });
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

/** The part of a member that a feed has. */
interface FeedMember extends Omit<Member, 'employments' | 'payments'> {
  readonly employments: readonly object[];
}

/** A member of a made company as records of a feed. */
export function demoRecords(member: FeedMember): object[] {
  const { bankDetails, keyNumber, ...person } = member.person;
  const personId = person.id;
  return [
    { kind: 'person', ...person },
    ...(bankDetails ? [{ kind: 'bankDetails', personId, ...bankDetails }] : []),
    ...(keyNumber === undefined ? [] : [{ kind: 'keyNumber', personId, keyNumber }]),
    ...member.payrollContractIds.map((payrollContractId) => ({ kind: 'mapping', personId, payrollContractId })),
    ...member.employments.map((employment) => ({ kind: 'employment', ...employment })),
    ...member.salaries.map((entry) => ({ kind: 'salary', ...entry })),
    ...member.timeDays.map((day) => ({ kind: 'timeDay', personId, ...day })),
    ...member.absences.map((absence) => ({ kind: 'absence', ...absence })),
  ];
}
