import { Readable } from 'node:stream';
import { company, type Member, type Payment } from '@hr/testing/fixtures';
import { takeImportLock } from '../database/change-sets.ts';
import type { Database, Queries } from '../database/database.ts';
import { decidePayment } from '../payroll/payment-handlers.ts';
import { submittedPayment, submitVariablePayment } from '../payroll/submit-variable-payment.ts';
import { importFeed } from '../feed/import-feed.ts';
import type { ImportProgress } from '../feed/import-run.ts';

const PERSONS = 300;
const MONTHS = 24;
const TIME_DAYS = 20;
const DAY = 86_400_000;
const DAYS_OF_FEBRUARY = 28;

/** The last day of a company, and of the one that is stored. */
interface DemoDays {
  readonly until: string;
  readonly after?: string | undefined;
}

/** Loads a made company, the same for the same day, or what is new in it, as a feed, and variable payments of each state. */
export async function loadDemo(database: Database, days: DemoDays): Promise<ImportProgress> {
  const { feed, payments } = demoCompany(days);
  const summary = await importFeed(database, [{ name: 'demo', bytes: Readable.from([Buffer.from(feed)]) }]);
  await database.transaction((transaction) => makePayments(transaction, payments), { long: true });
  return summary;
}

/** The company of the demo, or what is new in it or has changed after a day, as a feed and variable payments. */
export function demoCompany({ until, after = until }: DemoDays): { feed: string; payments: Payment[] } {
  const days = (Date.parse(until) - Date.parse(after)) / DAY;
  // For the earlier day they reach back further, so nothing older than its company is new.
  const options = { persons: PERSONS, months: MONTHS + Math.ceil(days / DAYS_OF_FEBRUARY), timeDays: TIME_DAYS + days };
  const recordsUntil = (day: string): string[] =>
    Array.from(company({ ...options, until: day }), (member) =>
      [...demoRecords(member), ...member.payments].map((record) => JSON.stringify(record)),
    ).flat();
  const known = new Set(after === until ? [] : recordsUntil(after));
  const { true: feed = [], false: payments = [] } = Object.groupBy(
    recordsUntil(until).filter((record) => !known.has(record)),
    (record) => (record.startsWith('{"kind"') ? 'true' : 'false'),
  );
  return { feed: feed.join('\n'), payments: payments.map((payment) => JSON.parse(payment) as Payment) };
}

/** Submits those that are missing, and decides on those that still wait. */
async function makePayments(transaction: Queries, payments: readonly Payment[]): Promise<void> {
  // Another process may start the demo at the same time.
  await takeImportLock(transaction);
  // oxlint-disable no-await-in-loop -- a transaction runs one statement at a time
  for (const { payrollContractId, billingPeriod, state, ...payment } of payments) {
    const submission = { payrollContractId, billingPeriod, payment, clientId: 'time-tracking' };
    const before = await submittedPayment(transaction, submission);
    const { id } = before ?? (await submitVariablePayment(transaction, submission)) ?? {};
    if (id === undefined || state === 'submitted' || (before && before.state !== 'submitted')) continue;
    await decidePayment(transaction, { id, state, decidedBy: 'command line' });
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
