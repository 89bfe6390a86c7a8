import type { HrErrorCode } from '@hr/client';
import { paymentFields } from '@hr/text/read-payment';
import { announceDrafts } from '../backend/draft-routes.ts';
import type { Console } from '../backend/console.ts';
import type { User } from '../backend/records.ts';
import type { Cells, DecimalSign } from './payment-cells.ts';

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
  readonly rows?: Readonly<Record<string, Cells>> | undefined;
  /** The answer to the question about numbers such as `1.234`. */
  readonly decimalSign?: DecimalSign | undefined;
  /** Names of pasted columns that no payment has. */
  readonly unread?: readonly string[] | undefined;
  /** Of rows that are not corrected yet. */
  readonly refused?: Readonly<Record<string, Refusal>> | undefined;
}

/** Makes a draft of the payments of a batch that the service refused, unless there is one. */
export function correctRefused(context: Console, user: User, batch: string): void {
  const entries = [...context.cloud.outbox.entries({ batch, state: 'refused' })];
  const refused = entries.filter(({ resentAs }) => resentAs === undefined);
  const byRow = <Value>(valueOf: (entry: (typeof refused)[number]) => Value): Record<string, Value> =>
    Object.fromEntries(refused.map((entry) => [String(entry.row), valueOf(entry)]));
  const draft: TableDraft = {
    rows: byRow(({ contractId, payment }) => {
      const values = { ...payment, contractId };
      const given = paymentFields.flatMap((name) => (values[name] === undefined ? [] : [[name, textOf(values[name])]]));
      return Object.fromEntries(given) as Cells;
    }),
    refused: byRow(({ code, message }) => ({ code, message })),
  };
  context.records.drafts.save(user.name, `table/${batch}`, undefined, draft);
  announceDrafts(context, user);
}

/** One more decimal keeps `1.234` from being read as 1,234. */
function textOf(value: string | number): string {
  return typeof value === 'number' && /^-?\d{1,3}\.\d{3}$/.test(String(value)) ? `${value}0` : String(value);
}
