import type { HrErrorCode } from '@hr/client';
import type { DecimalSign } from '@hr/text/decimal';
import { paymentFields, type GivenPayment, type PaymentCells } from '@hr/text/read-payment';
import { announceDrafts } from '../backend/draft-routes.ts';
import type { Console } from '../backend/console.ts';
import type { User } from '../backend/records.ts';
import type { NumberedRow } from './submissions.ts';

/** Why the service refused a row. */
export interface Refusal {
  readonly code: HrErrorCode | undefined;
  readonly message: string | undefined;
}

/** A table of payments that is not sent yet. */
export interface TableDraft {
  /** As it was pasted. */
  readonly text?: string | undefined;
  /** By a number that stays with a row. */
  readonly rows?: Readonly<Record<string, PaymentCells>> | undefined;
  /** The answer to the question about numbers such as `1.234`. */
  readonly decimalSign?: DecimalSign | undefined;
  /** Names of pasted columns that no payment has. */
  readonly unread?: readonly string[] | undefined;
  /** Of rows that are not corrected yet. */
  readonly refused?: Readonly<Record<string, Refusal>> | undefined;
  /** The batch whose payments that were not sent are in this table. */
  readonly replaces?: string | undefined;
}

/** Makes a draft of the payments of a batch that were refused or not sent, unless there is one. */
export function correctBatch(context: Console, user: User, batch: string, unsent: readonly NumberedRow[]): void {
  const entries = [...context.cloud.outbox.entries({ batch, state: 'refused' })];
  const refused = entries.filter(({ resentAs }) => resentAs === undefined);
  const draft: TableDraft = {
    // In the order of their numbers.
    rows: Object.fromEntries([...refused, ...unsent].map((row) => [row.row, cellsOf(row)])),
    refused: Object.fromEntries(refused.map(({ row, code, message }) => [row, { code, message }])),
    ...(unsent.length > 0 && { replaces: batch }),
  };
  context.records.drafts.save(user.name, `table/${batch}`, undefined, draft);
  announceDrafts(context, user);
}

function cellsOf({ contractId, payment }: GivenPayment): PaymentCells {
  const values = { ...payment, contractId };
  return Object.fromEntries(
    paymentFields.flatMap((name) => (values[name] === undefined ? [] : [[name, textOf(values[name])]])),
  );
}

/** One more decimal keeps `1.234` from being read as 1,234. */
function textOf(value: string | number): string {
  return typeof value === 'number' && /^-?\d{1,3}\.\d{3}$/.test(String(value)) ? `${value}0` : String(value);
}
