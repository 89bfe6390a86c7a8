import type { VariablePaymentRequest } from '@hr/schemas';
import type { Queries } from '../database/database.ts';
import { oneRecord } from '../database/json-answer.ts';
import type { JsonAnswer } from '../database/json-answer.ts';
import { paymentJson } from './variable-payments.ts';

/** A variable payment on its way in. */
export interface Submission {
  readonly payrollContractId: string;
  readonly billingPeriod: string;
  readonly payment: VariablePaymentRequest;
  readonly clientId: string;
}

/** The columns of a payment that a submission tells, and the same from {@link submittedValues} as `$1` to `$9`. */
export const submittedColumns = `payroll_contract_id, billing_period, correction_period, compensation_component_id,
  amount, hours, days, hourly_factor, percentage`;
export const submittedParameters = `$1::text, $2::text, $3::text, $4::text,
  $5::text::numeric, $6::text::numeric, $7::text::numeric, $8::text::numeric, $9::text::numeric`;

export function submittedValues({ payrollContractId, billingPeriod, payment }: Submission): (string | null)[] {
  const { correctionPeriod, compensationComponentId, amount, hours, days, hourlyFactor, percentage } = payment;
  return [
    payrollContractId,
    billingPeriod,
    correctionPeriod ?? billingPeriod,
    compensationComponentId,
    ...[amount, hours, days, hourlyFactor, percentage].map(shortest),
  ];
}

/** A number as its shortest text, which is what an SQL numeric keeps of it. */
function shortest(value: number | undefined): string | null {
  return value === undefined ? null : String(value);
}

/**
 * Stores a payment for approval (section 4.3), whose person is not erased meanwhile, and gives it as the API shows it; `undefined`
 * where the contract is unknown.
 */
export async function submitPayment(
  queries: Queries,
  submission: Submission,
): Promise<(JsonAnswer & { readonly id: string }) | undefined> {
  const [row] = await queries.query<{ id: string; payment: string }>(
    `insert into variable_payment (${submittedColumns}, master_cost_center, submitted_by)
    select ${submittedParameters}, master_cost_center, $10
    from mapping join contract using (payroll_contract_id) where payroll_contract_id = $1 for key share of mapping
    returning id::text, ${paymentJson} as payment`,
    [...submittedValues(submission), submission.clientId],
  );
  return row && { id: row.id, ...oneRecord(row.payment, { objectId: row.id }) };
}
