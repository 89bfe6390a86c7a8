import { Readable } from 'node:stream';
import { company } from '@hr/testing/fixtures';
import type { Member, Payment } from '@hr/testing/fixtures';
import { takeImportLock } from '../database/change-sets.ts';
import type { Database, Queries } from '../database/database.ts';
import { decidePayment } from '../payroll/variable-payments.ts';
import { idOfPayment, submitVariablePayment } from '../payroll/submit-variable-payment.ts';
import { importFeed } from '../feed/import-feed.ts';
import type { ImportProgress } from '../feed/import-run.ts';

const PERSONS = 300;
const MONTHS = 24;
const TIME_DAYS = 20;
const DAY = 86_400_000;
const DAYS_OF_FEBRUARY = 28;

/** The last day of a company, and of the one that a database has already. */
interface DemoDays {
  readonly until: string;
  readonly after?: string | undefined;
}

/**
 * Loads a made company as a feed, the same for the same day, and variable payments of each state. After an earlier day
 * it loads what has come since. In the end it calls `finish`, in the transaction of the payments.
 */
export async function loadDemo(
  database: Database,
  days: DemoDays,
  finish?: (transaction: Queries) => Promise<unknown>,
): Promise<ImportProgress> {
  const { feed, payments } = demoCompany(days);
  const summary = await importFeed(database, [{ name: 'demo', bytes: Readable.from([Buffer.from(feed)]) }]);
  await database.transaction(
    async (transaction) => {
      // Another process may start the demo at the same time.
      await takeImportLock(transaction);
      await makePayments(transaction, payments);
      await finish?.(transaction);
    },
    { long: true },
  );
  return summary;
}

/** The company of the demo, or what is new in it or has changed after a day, as a feed and variable payments. */
export function demoCompany({ until, after }: DemoDays): { feed: string; payments: Payment[] } {
  const days = after === undefined ? 0 : (Date.parse(until) - Date.parse(after)) / DAY;
  const months = MONTHS + Math.ceil(days / DAYS_OF_FEBRUARY);
  // So many months of the earlier day reach back further than those of the later one.
  const known = after === undefined ? undefined : company({ persons: PERSONS, months, timeDays: 0, until: after });
  const [lines, payments]: [string[], Payment[]] = [[], []];
  for (const member of company({ persons: PERSONS, months, timeDays: days || TIME_DAYS, until })) {
    const former = known?.next().value ?? undefined;
    const stored: object[] = former === undefined ? [] : [...demoRecords(former), ...former.payments];
    const texts = new Set(stored.map((record) => JSON.stringify(record)));
    const isNew = (record: object): boolean => !texts.has(JSON.stringify(record));
    const timeDays = member.timeDays.filter(({ date }) => after === undefined || date > after);
    lines.push(
      ...demoRecords({ ...member, timeDays })
        .filter(isNew)
        .map((record) => `${JSON.stringify(record)}\n`),
    );
    payments.push(...member.payments.filter(isNew));
  }
  return { feed: lines.join(''), payments };
}

/** Submits those that are missing, and decides on those that still wait. */
async function makePayments(transaction: Queries, payments: readonly Payment[]): Promise<void> {
  // oxlint-disable no-await-in-loop -- a transaction runs one statement at a time
  for (const { payrollContractId, billingPeriod, state, ...payment } of payments) {
    const submission = { payrollContractId, billingPeriod, payment, clientId: 'demo' };
    const id =
      (await idOfPayment(transaction, submission)) ?? (await submitVariablePayment(transaction, submission))?.id;
    if (id !== undefined && state !== 'submitted') {
      await decidePayment(transaction, { id, state, decidedBy: 'operator' });
    }
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
