import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, parse, resolve } from 'node:path';
import type { Outbox } from '@hr/client/mirror';
import { variablePaymentValues } from '@hr/schemas';
import type { DecimalSign } from '@hr/text/decimal';
import { printable } from '@hr/text/printable';
import { checkPayment } from '@hr/text/read-payment';
import { CliError, exitCodes } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { openReplacement } from '../output/replace-file.ts';
import { inputName, readInput } from '../read-input.ts';
import { rowOf, type PaymentRow, type RowFault } from './payment-row.ts';
import { checkDecisions } from './payments.ts';
import { storedMap } from './payment-map.ts';
import { readPayments, sheetOf, type PaymentFile, type PaymentFormat } from './read-payments.ts';
import { entriesOf, sendPayments, submissionPlan, type PlannedRow, type SubmissionPlan } from './submission.ts';
import {
  exitCodeOfStates,
  outboxKind,
  outboxRecord,
  reportSubmission,
  resultCsv,
  sumsOf,
} from './submission-report.ts';

type Value = (typeof variablePaymentValues)[number];
type Text = 'period' | 'correctionPeriod' | 'component' | 'file' | 'map' | 'result';
type Switch = 'dryRun' | 'skipInvalid' | 'skipSubmitted' | 'again' | 'equalRows' | 'strict';

/** The options of `hr payments submit`. */
interface SubmitOptions extends Partial<Record<Value | Text, string>>, Partial<Record<Switch, true>> {
  readonly format?: PaymentFormat;
  readonly decimal?: DecimalSign;
}

const MAX_LINES_SHOWN = 20;

/** `hr payments submit`: one payment, or those of a file. */
export async function submit(
  context: Context,
  contract: string | undefined,
  options: SubmitOptions,
): Promise<number | undefined> {
  const resultName = resultOf(options);
  const name = options.file === undefined ? 'the payment' : inputName(options.file);
  const file = await payments(context, contract, options);
  const { rows: given, faults } = file;
  printFaults(context, name, faults, given.length);
  const faultyLines = new Set(faults.map(({ line }) => line)).size;
  if (faultyLines > 0 && (!options.skipInvalid || given.length === 0)) {
    throw new CliError(
      `Nothing was sent. Correct ${count(faultyLines, 'row')}${given.length > 0 ? ', or pass --skip-invalid to send the others' : ''}.`,
      exitCodes.usage,
    );
  }

  if (!options.dryRun) await context.findIdempotency();
  const empty = file.records.size - given.length - faultyLines;
  if (empty > 0) context.info(`Without a value, left out: ${count(empty, 'row')}`);
  const outbox = await context.outbox();
  using _ = outbox.hold();
  let plan = submissionPlan(outbox, given, options.again === true);
  if (!options.dryRun && hasUnknown(outbox, plan)) {
    await checkDecisions(context, outbox);
    plan = submissionPlan(outbox, given, options.again === true);
  }
  const skipped: ReadonlySet<PlannedRow> = options.skipSubmitted ? plan.submittedElsewhere : new Set();
  const isIncluded = (row: PlannedRow): boolean => !skipped.has(row);
  const waiting = plan.waiting.filter(isIncluded);
  const warnings = await printSummary(context, name, plan, waiting, options);
  if (plan.submittedElsewhere.size > 0 && !options.again && !options.skipSubmitted) {
    throw new CliError(
      `Nothing was sent: equal payments were submitted before (${linesOf(plan.submittedElsewhere)}). Pass --skip-submitted to leave them out, or --again to pay them once more. To see them, run: hr payments outbox`,
      exitCodes.usage,
    );
  }
  if (options.strict && warnings > 0) {
    throw new CliError(`Nothing was sent, because --strict was given and there is a warning.`, exitCodes.usage);
  }
  if (options.dryRun) {
    context.info('Dry run: nothing was sent.');
    return faultyLines > 0 ? exitCodes.partial : undefined;
  }

  const { baseUrl } = await context.profile();
  if (waiting.length > 0) {
    await context.confirm(`Submit ${count(waiting.length, 'payment')} to ${baseUrl}?`);
    // Credentials that do not work are an error before the result of an earlier run is deleted.
    await context.client();
  }
  // A wrong place is an error before anything is sent. A link may lead to the file of the payments.
  await using result = resultName === undefined ? undefined : await openReplacement(resultName, undefined, false);
  // The result of an earlier run is no longer true: after a crash there is none.
  if (resultName !== undefined) await rm(resultName, { force: true });
  const stop = await sendPayments(context, outbox, plan.batch, waiting);

  const entries = entriesOf(outbox, plan.batch);
  const submission = { name, file, rows: plan.rows, skipped, entries, stop, outbox };
  // First of all: the payments are sent, whatever fails now.
  reportSubmission(context, submission);
  await result?.write(resultCsv(submission));
  await result?.commit();
  if (resultName !== undefined) context.info(`Result of each row: ${resultName}`);
  if (context.wantsRecords) await context.write(outboxKind, [...entries.values()].map(outboxRecord));
  const states = plan.rows.filter(isIncluded).map(({ number }) => entries.get(number)?.state);
  if (faultyLines > 0) states.push(undefined);
  return exitCodeOfStates(states, context.signal.aborted, stop);
}

async function payments(context: Context, contract: string | undefined, options: SubmitOptions): Promise<PaymentFile> {
  const { file } = options;
  if ((contract === undefined) === (file === undefined)) {
    throw new CliError('Name a payroll contract, or a file: --file payments.csv', exitCodes.usage);
  }
  if (file === undefined) return onePayment(contract, options);
  const used = variablePaymentValues.find((flag) => flag in options);
  if (used !== undefined) {
    throw new CliError(`${flagOf(used)} is for one payment. With --file, it is a column of the file.`, exitCodes.usage);
  }
  const format = options.format ?? formatOf(file);
  const { map, period, correctionPeriod, component, decimal } = options;
  const values = {
    ...(period !== undefined && { billingPeriod: period }),
    ...(correctionPeriod !== undefined && { correctionPeriod }),
    ...(component !== undefined && { compensationComponentId: component }),
  };
  if (format !== 'csv' && [map, decimal, ...Object.values(values)].some((given) => given !== undefined)) {
    throw new CliError(
      '--map, --decimal, --period, --correction-period and --component are for CSV files.',
      exitCodes.usage,
    );
  }
  const stored = map === undefined ? undefined : await storedMap(await context.profile(), map);
  const isTyped = file === '-' && context.terminal.stdin.isTTY;
  if (isTyped) throw new CliError('Pipe the payments into this command.', exitCodes.usage);
  const bytes = await readInput(context.terminal, file);
  return readPayments(bytes, format, inputName(file), { map: stored, values, decimal });
}

function formatOf(file: string): PaymentFormat {
  if (/\.csv$/i.test(file)) return 'csv';
  if (/\.(?:ndjson|jsonl)$/i.test(file)) return 'ndjson';
  throw new CliError(`--file ${file}: the format is not clear. Pass --format csv or --format ndjson.`, exitCodes.usage);
}

function onePayment(contractId: string | undefined, options: SubmitOptions): PaymentFile {
  const { period: billingPeriod, component: compensationComponentId, correctionPeriod } = options;
  const fields: Record<string, unknown> = { contractId, billingPeriod, compensationComponentId };
  if (correctionPeriod !== undefined) fields['correctionPeriod'] = correctionPeriod;
  for (const name of variablePaymentValues) {
    const text = options[name];
    if (text === undefined) continue;
    fields[name] = Number(text);
    if (!/^-?\d+(?:\.\d+)?$/.test(text)) {
      throw new CliError(`${flagOf(name)} must be a number such as 1234.50.`, exitCodes.usage);
    }
  }
  const row = rowOf(1, checkPayment(fields));
  if (!Array.isArray(row)) return { ...sheetOf([[1, fields]]), rows: [row], faults: [] };
  const sentences = row.map(({ column, detail }) => `${column === '' ? 'The payment' : flagOf(column)} ${detail}.`);
  throw new CliError(sentences.join('\n  '), exitCodes.usage);
}

const flags: Readonly<Record<string, string>> = {
  contractId: 'The payroll contract',
  billingPeriod: '--period',
  compensationComponentId: '--component',
};

function flagOf(name: string): string {
  return flags[name] ?? `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function printFaults({ terminal }: Context, name: string, faults: readonly RowFault[], rows: number): void {
  if (faults.length === 0) return;
  const lines = new Set(faults.map(({ line }) => line));
  terminal.stderr.write(`${name}: ${lines.size} of ${count(rows + lines.size, 'row')} cannot be sent:\n`);
  for (const { line, column, detail } of faults) {
    terminal.stderr.write(`  line ${line}: ${column || 'the row'} ${detail}.\n`);
  }
}

/** @returns The number of warnings. */
async function printSummary(
  context: Context,
  name: string,
  { rows, waiting: open, repeated, submittedElsewhere }: SubmissionPlan,
  waiting: readonly PaymentRow[],
  options: SubmitOptions,
): Promise<number> {
  const contracts = new Set(rows.map(({ contractId }) => contractId)).size;
  if (options.file) context.info(`${name}: ${count(rows.length, 'payment')} for ${count(contracts, 'contract')}`);
  const submitted = rows.length - open.length;
  if (submitted > 0) {
    const remedy = waiting.length === 0 && !options.again ? ' To submit all of them once more, pass --again.' : '';
    context.info(`Submitted before by this command: ${count(submitted, 'payment')}, left out.${remedy}`);
  }
  if (options.skipSubmitted && submittedElsewhere.size > 0) {
    context.info(`Equal to a submitted payment, left out: ${linesOf(submittedElsewhere)}`);
  }
  if (repeated.length > 0) context.info(`Refused or unknown before, and sent again: ${linesOf(repeated)}`);
  if (waiting.length === 0) return 0;
  for (const line of sums(waiting)) context.info(`  ${line}`);
  const equal = [...Map.groupBy(waiting, ({ content }) => content).values()].filter((group) => group.length > 1);
  if (equal.length > 0 && !options.equalRows) {
    const lines = equal.map(linesOf).join('; ');
    context.info(`Warning: rows that are equal, and are each a payment: ${lines}`);
    if (context.flags.yes && !options.dryRun) {
      throw new CliError(
        `Nothing was sent, because rows are equal (${lines}). Delete what is there by mistake, or pass --equal-rows to pay each of them.`,
        exitCodes.usage,
      );
    }
  }
  const unknown = await unknownContracts(context, waiting);
  if (unknown.length > 0) {
    context.info(
      `Warning: contracts that the local copy does not have: ${linesOf(unknown)}. Check them, or run: hr sync persons`,
    );
  }
  return (options.equalRows ? 0 : equal.length) + unknown.length;
}

/** Whether payments of the batch are unknown, and not among those to send. */
function hasUnknown(outbox: Outbox, { batch, waiting }: SubmissionPlan): boolean {
  const numbers = new Set(waiting.map(({ number }) => number as number | undefined));
  return [...entriesOf(outbox, batch).values()].some(({ state, row }) => state === 'unknown' && !numbers.has(row));
}

/** The sum of each value by billing period and component. */
function sums(rows: readonly PaymentRow[]): string[] {
  const groups = Map.groupBy(
    rows,
    ({ payment: { billingPeriod, compensationComponentId } }) => `${billingPeriod}  ${compensationComponentId}`,
  );
  return [...groups.keys()].toSorted().map((group) => {
    const members = groups.get(group) ?? [];
    const sumOfEach = Object.entries(sumsOf(members.map(({ payment }) => payment)));
    const parts = sumOfEach.map(([name, sum]) => `${name} ${sum.toLocaleString('en', { maximumFractionDigits: 4 })}`);
    return `${printable(group)}  ${count(members.length, 'payment')}, sum of ${parts.join(', ')}`;
  });
}

/** The rows with a contract that the local copy does not have. Without a local copy, there are none. */
async function unknownContracts(context: Context, rows: readonly PaymentRow[]): Promise<PaymentRow[]> {
  const { mirrorFile } = await context.profile();
  if (!existsSync(mirrorFile)) return [];
  const mirror = await context.mirror();
  if (mirror.countPersons() === 0) return [];
  return rows.filter(({ contractId }) => mirror.countPersons({ contract: contractId }) === 0);
}

function linesOf(rows: Iterable<PaymentRow>): string {
  const lines = [...rows].map(({ line }) => line);
  const rest = lines.length > MAX_LINES_SHOWN ? ` and ${lines.length - MAX_LINES_SHOWN} more` : '';
  return `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, MAX_LINES_SHOWN).join(', ')}${rest}`;
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}

/** The name of the result file, `payments.result.csv` beside `payments.csv` by default. */
function resultOf({ file, result }: SubmitOptions): string | undefined {
  if (file !== undefined && result !== undefined && resolve(file) === resolve(result)) {
    throw new CliError('--result must not be the file with the payments. Name another one.', exitCodes.usage);
  }
  if (result !== undefined || file === undefined || file === '-') return result;
  const { dir, name } = parse(file);
  return join(dir, `${name}.result.csv`);
}
