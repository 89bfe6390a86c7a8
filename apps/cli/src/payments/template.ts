import { z } from 'zod';
import type { Context } from '../context.ts';
import { columnsOf, kindOf } from '../output/columns-of.ts';
import { fromMirror } from '../up-to-date-mirror.ts';
import { paymentFields, personFields } from './payment-row.ts';

const { contractId, ...content } = paymentFields;

/** The payroll contracts of a month, with the fields of a payment to fill in. */
const columns = columnsOf(z.object({ contractId, ...personFields, ...content }));
const contractKind = kindOf('payroll contracts', columns, { table: [] });

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
