import { paymentContent } from '@hr/client/mirror';
import { Identifier, operations } from '@hr/schemas';
import type { DecimalSign } from '@hr/text/decimal';
import { readPaymentTable, type PaymentTable } from '@hr/text/payment-table';
import { CsvQuotesError } from '@hr/text/read-csv';
import {
  paymentFields,
  readPayment,
  type GivenPayment,
  type PaymentCells,
  type PaymentFault,
} from '@hr/text/read-payment';
import { z } from 'zod';
import type { Console } from '../backend/console.ts';
import type { View } from '../backend/view.ts';
import { Problem } from '../backend/problem.ts';
import { contractPersons, contractRights, type ContractPerson } from '../backend/contract-persons.ts';

/** Of a table, a batch or a decision. */
export const MAX_ROWS = 5000;
const MAX_TEXT_LENGTH = 2_000_000;
const MAX_CELL_LENGTH = 400;
const cell = z.string().trim().max(MAX_CELL_LENGTH);

/** A pasted table or rows to check. */
export const CheckInput = z.strictObject({
  text: z.string().max(MAX_TEXT_LENGTH).optional(),
  rows: z
    .array(z.strictObject(Object.fromEntries(paymentFields.map((name) => [name, cell.optional()]))))
    .max(MAX_ROWS)
    .optional(),
  /** The answer to the question about numbers such as `1.234`. */
  decimalSign: z.enum(['comma', 'point']).optional(),
  /** Whether to look for equal payments at the service. */
  compare: z.boolean().default(false),
});
type CheckInput = z.infer<typeof CheckInput>;

const { query, body } = operations.submitVariablePayment;

/** Payments to submit, as the models of the API have them. */
export const SubmissionRow = z.strictObject({
  contractId: Identifier.refine((id) => id !== '.' && id !== '..', 'cannot be sent in a path'),
  payment: z.strictObject({ ...body.shape, billingPeriod: query.shape.billingPeriod }).check((context) => {
    const { billingPeriod: _, ...content } = context.value;
    for (const { message, path } of body.safeParse(content).error?.issues ?? []) {
      context.issues.push({ code: 'custom', message, path, input: content });
    }
  }),
});

/** A payment to submit. */
export type SubmissionRow = GivenPayment;

/** A row, what is wrong with it, and the payment that it stands for if nothing is. */
export interface CheckedRow {
  readonly cells: PaymentCells;
  readonly faults: readonly PaymentFault[];
  readonly row: SubmissionRow | undefined;
  /** The person of the contract; undefined if the local copy does not have the contract. */
  readonly person: ContractPerson | undefined;
  /** Number of equal payments that were submitted, and of equal rows before this one. */
  readonly equal: number;
}

/** A row without faults. */
export type CompleteRow = CheckedRow & { readonly row: SubmissionRow };

/** The result of a check. */
export type Check = Awaited<ReturnType<typeof checkPayments>>;

/**
 * Checks rows as the service does, so that a person can correct all of them before any is sent.
 *
 * @param waiting - Payments that are about to be sent.
 */
export async function checkPayments(
  cloud: Console['cloud'],
  view: View,
  { text, rows, decimalSign, compare }: CheckInput,
  waiting: readonly SubmissionRow[],
) {
  const table = text === undefined ? undefined : readTable(text, decimalSign);
  const read = table?.rows ?? (rows ?? []).map((cells) => ({ cells, ...readPayment(cells, decimalSign) }));
  const may = contractRights(view);
  const given = read.map((one) =>
    one.given && !may(one.given.contractId, 'editor', 'pay') ? { ...one, given: undefined, faults: [noRight] } : one,
  );
  const persons = contractPersons(view);
  const complete = given.flatMap((one) => one.given ?? []);
  const equal = compare ? await equalPayments(cloud, complete, waiting) : [];
  let next = 0;
  return {
    rows: given.map(({ cells, given: row, faults }): CheckedRow => {
      const person = persons.get(row?.contractId ?? cells.contractId ?? '');
      return { cells, faults, row, person, equal: row === undefined ? 0 : (equal[next++] ?? 0) };
    }),
    /** A number that has two meanings: the check asks which sign the decimals have. */
    question: given.find((one) => one.question)?.question,
    /** Names of pasted columns that no payment has. */
    unreadColumns: table?.unreadColumns ?? [],
  };
}

/**
 * Counts, for each row, the equal payments that were submitted or are about to be, and the equal rows before it. Each may
 * be the same payment by mistake, or another one on purpose: only a person knows.
 *
 * @param waiting - Payments that are about to be sent.
 */
export async function equalPayments(
  { operator, outbox }: Console['cloud'],
  rows: readonly SubmissionRow[],
  waiting: readonly SubmissionRow[],
): Promise<number[]> {
  const found = new Map<string, number>();
  const add = (content: string): void => void found.set(content, (found.get(content) ?? 0) + 1);
  const contents = rows.map(({ contractId, payment }) => paymentContent(contractId, payment));
  // Before the list is read: a payment that arrives meanwhile counts twice, which is better than not at all.
  for (const { contractId, payment } of waiting) add(paymentContent(contractId, payment));
  for (const content of new Set(contents)) {
    for (const { state } of outbox.entries({ content })) if (state === 'unknown' || state === 'sending') add(content);
  }
  const listed = [...Map.groupBy(rows, ({ payment }) => payment.billingPeriod)].map(([billingPeriod, some]) =>
    operator.paymentsWith(
      'payrollContractId',
      some.map(({ contractId }) => contractId),
      { billingPeriod },
    ),
  );
  for (const { state, payrollContractId, ...payment } of (await Promise.all(listed)).flat()) {
    if (state !== 'rejected') add(paymentContent(payrollContractId, { payrollContractId, ...payment }));
  }
  return contents.map((content) => {
    const count = found.get(content) ?? 0;
    add(content);
    return count;
  });
}

/** Of a contract whose person does not exist for the person who asks, and of one for whom they cannot submit payments. */
export const noRight = {
  field: 'contractId',
  code: 'no-right',
  detail: 'needs a grant with editor, pay for its person',
} as const satisfies PaymentFault;

const surplus: PaymentFault = { field: undefined, code: 'surplus-cells', detail: 'has more cells than columns' };

/**
 * Reads a table that was copied from a spreadsheet or a CSV file. Its first row may name the columns.
 *
 * @throws {Problem} `invalid-input` if the table as a whole is unusable.
 */
function readTable(text: string, sign: DecimalSign | undefined) {
  const named = tableOf(text, sign);
  const hasHeader = Object.keys(named.columns).length > 1;
  const { delimiter } = named;
  // Without a header, nothing would tell 250,50 from the two cells 250 and 50.
  if (!hasHeader && delimiter === ',' && named.header.length > 0) {
    throw unusable('header-needed', 'needs a header, because a comma separates it');
  }
  const { header, records, rows, faults } = hasHeader
    ? named
    : tableOf(`${paymentFields.join(delimiter)}\n${text}`, sign);
  if (rows.length === 0) throw unusable('empty', 'has no payments');
  if (rows.length > MAX_ROWS) throw unusable('too-many-rows', `must have at most ${MAX_ROWS} rows`);
  const missing = faults.filter(({ code }) => code === 'missing');
  if (missing.length > 0) throw unusable('missing-columns', missing.map(({ field }) => field).join(', '));
  const twice = faults.filter(({ code }) => code === 'repeated');
  if (twice.length > 0) throw unusable('repeated-columns', twice.map(({ heading }) => heading).join(', '));
  return {
    rows: rows.map((row) => {
      const isSurplus = records.get(row.line)?.some((content, place) => place >= header.length && content !== '');
      return isSurplus ? { ...row, given: undefined, faults: [...row.faults, surplus] } : row;
    }),
    unreadColumns: faults.flatMap(({ code, heading }) => (code === 'unknown' && heading ? [heading] : [])),
  };
}

function tableOf(text: string, sign: DecimalSign | undefined): PaymentTable {
  try {
    return readPaymentTable(text, { sign });
  } catch (error) {
    if (!(error instanceof CsvQuotesError)) throw error;
    throw unusable('quotes', `line ${error.line} ${error.message}`);
  }
}

function unusable(code: string, detail: string): Problem {
  return new Problem('invalid-input', 'The table cannot be read.', { errors: [{ pointer: '/text', code, detail }] });
}
