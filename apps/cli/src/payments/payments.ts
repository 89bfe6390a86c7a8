import type { Outbox, OutboxEntry, OutboxState, Reconciliation } from '@hr/client/mirror';
import { variablePaymentValues } from '@hr/schemas';
import { printable } from '@hr/text/printable';
import { z } from 'zod';
import { CliError, exitCodes } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { columnsNamed, columnsOf, kindOf } from '../output/columns-of.ts';
import { paymentKind } from '../output/record-kinds.ts';
import { failureMessage, inTermsOfHr } from '../report-failure.ts';
import { fromMirror } from '../up-to-date-mirror.ts';
import { paymentModels, personFields } from './payment-row.ts';
import { cause, exitCodeOfStates, outboxKind, outboxRecord, sumsOf } from './submission-report.ts';

/** `hr payments list`: the approved payments of a payroll contract. */
export async function list(context: Context, contract: string, { period }: { period?: string }): Promise<void> {
  const hr = await context.client();
  const { signal } = context;
  const query = period === undefined ? {} : { billingPeriod: period };
  await context.write(paymentKind, hr.payroll.variablePayments(contract, query, { signal }));
}

/** The shortest beginning of an id that names an entry. */
const MIN_ID_LENGTH = 6;

interface OutboxFlags {
  readonly state?: OutboxState;
  readonly check?: true;
  readonly all?: true;
}

/** `hr payments outbox`: the payments that were submitted from here. */
export async function outbox(context: Context, { state, check, all }: OutboxFlags): Promise<number | undefined> {
  const submitted = await context.outbox();
  const code = (await checkIfAsked(context, submitted, check)) ? undefined : exitCodes.partial;
  const entries = [...submitted.entries({ state })].filter(({ resentAs }) => all || resentAs === undefined);
  await context.write(outboxKind, entries.map(outboxRecord));
  return code;
}

/** @param decided - Receives the entries that were not decided before. */
export async function checkDecisions(
  context: Context,
  submitted: Outbox,
  decided: OutboxEntry[] = [],
): Promise<Reconciliation> {
  const hr = await context.client();
  using progress = context.progress('Comparing approved payments:');
  return await submitted.reconcile(hr, {
    signal: context.signal,
    onProgress: (each) => progress.update(each),
    onDecided: (entry) => void decided.push(entry),
  });
}

/** Checks what became of payments if the flag is given, and returns whether it could read all of them. */
async function checkIfAsked(context: Context, submitted: Outbox, check: true | undefined): Promise<boolean> {
  if (!check) return true;
  const decided: OutboxEntry[] = [];
  const result = await checkDecisions(context, submitted, decided);
  const { approved, rejected, open, withoutDecisions, unreadableContracts, unsupported } = result;
  const { stderr } = context.terminal;
  if (withoutDecisions) {
    context.info('The HR Cloud does not list decisions. Only approved payments are found, by what they contain.');
  }
  if (unsupported) stderr.write(`The approved payments cannot be read: ${failureMessage(unsupported)}\n`);
  if (unreadableContracts.length > 0) {
    const contracts = unreadableContracts.map(printable).join(', ');
    stderr.write(`The HR Cloud does not know these contracts, or lists no payments: ${contracts}\n`);
  }
  for (const entry of decided.filter(({ state }) => state === 'rejected')) {
    stderr.write(`${entry.id}: ${placeOf(entry)}: rejected${cause(entry)}\n`);
  }
  context.info(`Newly approved: ${approved}. Newly rejected: ${rejected}. Not decided yet: ${open}.`);
  return !unsupported && unreadableContracts.length === 0;
}

function placeOf({ contractId, payment }: OutboxEntry): string {
  return `contract ${printable(contractId)}, ${payment.billingPeriod}, ${printable(payment.compensationComponentId)}`;
}

/** `hr payments resolve`: records what a person found out about a payment. */
export async function resolve(
  context: Context,
  id: string,
  { as, note }: { as: 'taken' | 'not-taken'; note: string },
): Promise<void> {
  const submitted = await context.outbox();
  const entry = submitted.resolve(entryOf(submitted, id).id, as, note);
  const next = as === 'taken' ? '' : ` To send it again, run: hr payments resend ${entry.id}`;
  context.info(`${entry.id}: ${placeOf(entry)}: ${entry.state}.${next}`);
}

const reportColumns = [
  ...columnsNamed('string', 'billingPeriod', 'compensationComponentId', 'state'),
  ...columnsNamed('integer', 'payments'),
  ...columnsNamed('number', ...variablePaymentValues),
];
const reportKind = kindOf('payments', reportColumns, {
  table: ['compensationComponentId', 'state', 'payments', 'amount', 'hours', 'days'],
});

/** `hr payments report`: the payments of a month by component and state, with the sum of each value. */
export async function report(
  context: Context,
  month: string,
  { check }: { check?: true },
): Promise<number | undefined> {
  const submitted = await context.outbox();
  const code = (await checkIfAsked(context, submitted, check)) ? undefined : exitCodes.partial;
  const entries = [...submitted.entries()].filter(
    ({ payment, resentAs }) => payment.billingPeriod === month && resentAs === undefined,
  );
  const groups = Map.groupBy(entries, ({ payment, state }) => `${payment.compensationComponentId}\0${state}`);
  const rows = [...groups]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, ofGroup]) => {
      const [{ payment, state }] = ofGroup as [OutboxEntry];
      const { billingPeriod, compensationComponentId } = payment;
      const payments = ofGroup.map((entry) => entry.payment);
      return { billingPeriod, compensationComponentId, state, payments: payments.length, ...sumsOf(payments) };
    });
  await context.write(reportKind, rows);
  return code;
}

/** `hr payments resend`: sends unknown and refused payments again. */
export async function resend(context: Context, ids: readonly string[]): Promise<number | undefined> {
  await context.findIdempotency();
  const submitted = await context.outbox();
  using _ = submitted.hold();
  const entries = [...new Map(ids.map((id) => resendable(submitted, id)).map((entry) => [entry.id, entry])).values()];
  const risky = entries.filter((entry) => submitted.mayPayTwice(entry));
  if (risky.length > 0) {
    context.terminal.stderr.write(`The HR Cloud may have accepted these already, and may pay them twice:\n`);
    for (const entry of risky) context.terminal.stderr.write(`  ${entry.id}: ${placeOf(entry)}\n`);
    await context.confirm('Did the payroll administrator confirm that they are missing? Send them again?');
  }
  const hr = await context.client();
  const states: (OutboxState | undefined)[] = [];
  for (const entry of entries) {
    if (context.signal.aborted) break;
    // oxlint-disable-next-line no-await-in-loop -- one that cannot be sent ends the command
    const resent = await submitted.resend(hr, entry.id, risky.includes(entry) ? { mayPayTwice: true } : {});
    const { id, state, message } = resent;
    const successor = id === entry.id ? '' : ` as ${id}`;
    context.terminal.stderr.write(`${entry.id}: ${state}${successor}${message ? `. ${inTermsOfHr(message)}` : ''}\n`);
    states.push(state);
  }
  while (states.length < entries.length) states.push(undefined);
  return exitCodeOfStates(states, context.signal.aborted);
}

function resendable(submitted: Outbox, given: string): OutboxEntry {
  const entry = entryOf(submitted, given);
  const { id, state, resentAs } = entry;
  if (resentAs !== undefined) {
    throw new CliError(`Entry ${id} was sent again as ${resentAs}. See the state of that one.`, exitCodes.usage);
  }
  if (state === 'unknown' || state === 'refused') return entry;
  if (state === 'sent' && !submitted.mayPayTwice(entry)) return entry;
  const lost = ` If the HR Cloud has lost it, run: hr payments resolve ${id} --as not-taken --note …`;
  const remedies: Partial<Record<OutboxState, string>> = {
    rejected: ' Correct the payment and submit it as a new one.',
    sent: lost,
    approved: lost,
  };
  const remedy = remedies[state] ?? '';
  throw new CliError(`Entry ${id} is ${state}, so it is not sent again.${remedy}`, exitCodes.usage);
}

/** The entry with an id, or with the only id that begins so: a table may show the beginning alone. */
function entryOf(submitted: Outbox, given: string): OutboxEntry {
  const start = given.replace(/…$/, '');
  const found = [...submitted.entries()].filter(({ id }) => id.startsWith(start));
  const [entry] = found;
  if (!entry || start.length < MIN_ID_LENGTH) {
    throw new CliError(`There is no entry ${given}. To see the entries, run: hr payments outbox`, exitCodes.notFound);
  }
  if (found.length > 1) {
    throw new CliError(`${given} is the beginning of ${found.length} ids. Write more of it.`, exitCodes.usage);
  }
  return entry;
}

const { contractId, ...content } = paymentModels;

/** The payroll contracts of a month, with the fields of a payment to fill in. */
const contractColumns = columnsOf(z.object({ contractId, ...personFields, ...content }));
const contractKind = kindOf('payroll contracts', contractColumns, { table: [] });

/** `hr payments template`: a file for `hr payments submit`, in the form of `--excel`. */
export async function template(
  context: Context,
  { period, component, sync }: { period: string; component?: string; sync: boolean },
): Promise<void> {
  const rows = fromMirror(context, { sync }, function* contracts(mirror) {
    for (const { employments, ...person } of mirror.persons()) {
      for (const { payrollContractId, start, end } of employments ?? []) {
        // Dates compare as texts, and no month has a later day. Without a start or an end, it is unlimited.
        if ((start ?? '') > `${period}-31` || (end && end < `${period}-01`)) continue;
        yield { ...person, contractId: payrollContractId, billingPeriod: period, compensationComponentId: component };
      }
    }
  });
  await context.write(contractKind, rows, { ...context.flags, excel: context.flags.excel ?? 'de' });
}
