import { inSameHands } from '../clients/client-makers.ts';
import type { Queries } from '../database/database.ts';
import { oneRecord } from '../database/json-answer.ts';
import type { JsonAnswer } from '../database/json-answer.ts';
import { knownList } from '../database/known-list.ts';
import { listQuery } from '../database/list-query.ts';
import type { ListQuery } from '../database/list-query.ts';

/** Gives the person of the payroll contract `$1` where it has a payroll record, too: only then does the API know it. */
export const contractKnown =
  'select person_id from mapping join contract using (payroll_contract_id) where payroll_contract_id = $1';

/** The states of a variable payment (section 3). */
export const paymentStates = ['submitted', 'approved', 'rejected'] as const;
export type PaymentState = (typeof paymentStates)[number];

const apiMembers = `
  'payrollContractId', payroll_contract_id, 'billingPeriod', billing_period, 'correctionPeriod', correction_period,
  'compensationComponentId', compensation_component_id,
  'amount', amount, 'hours', hours, 'days', days, 'hourlyFactor', hourly_factor, 'percentage', percentage`;

/** What the API shows of a payment, and what operators see. */
export const paymentJson = `json_strip_nulls(json_build_object(${apiMembers}))::text`;
export const operatorJson = `json_strip_nulls(json_build_object('id', id::text, 'state', state, ${apiMembers},
  'masterCostCenter', master_cost_center, 'submittedBy', submitted_by, 'submittedAt', submitted_at,
  'decidedBy', decided_by, 'decidedAt', decided_at, 'reason', reason))::text`;

/** The approved payments of a payroll contract, as a JSON array; `undefined` where the contract is unknown. */
export function listVariablePayments(
  queries: Queries,
  payrollContractId: string,
  billingPeriod: string | undefined,
): Promise<JsonAnswer | undefined> {
  return knownList(queries, {
    known: contractKnown,
    elements: `
      select (billing_period, id) as key, ${paymentJson} as element from variable_payment
      where payroll_contract_id = $1 and state = 'approved' and billing_period = coalesce($2, billing_period)`,
    values: [payrollContractId, billingPeriod ?? null],
  });
}

/** All payments of a state, or all, as operators see them, oldest first. */
export function paymentsInState(state: PaymentState | undefined): ListQuery {
  const condition = state === undefined ? listQuery`true` : listQuery`state = ${state}`;
  return listQuery`
    select id as key, ${{ text: operatorJson }} as element from variable_payment where ${condition}`;
}

interface Decision {
  readonly id: string;
  readonly state: 'approved' | 'rejected';
  /** Who decides: a client's id, or `command line`. */
  readonly decidedBy: string;
  readonly reason?: string | undefined;
}

/** What became of a decision: the payment, or the state it had before, or why nothing changed. */
export type DecisionOutcome =
  | { readonly outcome: 'decided'; readonly payment: JsonAnswer }
  | { readonly outcome: 'in-same-hands' }
  | { readonly outcome: 'decided-before'; readonly state: PaymentState }
  | { readonly outcome: 'unknown' };

/** Approves or rejects a submitted payment, once, and never by a client that is in the same hands as the one that submitted it. */
export async function decidePayment(
  queries: Queries,
  { id, state, decidedBy, reason }: Decision,
): Promise<DecisionOutcome> {
  if (!isPaymentId(id)) return { outcome: 'unknown' };
  const [decided] = await queries.query<{ payment: string; payrollContractId: string }>(
    `update variable_payment set state = $2, decided_by = $3, decided_at = clock_timestamp(), reason = $4
    where id = $1::bigint and state = 'submitted' and not ${inSameHands('$3', 'submitted_by')}
    returning ${operatorJson} as payment, payroll_contract_id as "payrollContractId"`,
    [id, state, decidedBy, reason ?? null],
  );
  if (decided) {
    const { payment, payrollContractId } = decided;
    return { outcome: 'decided', payment: oneRecord(payment, { payrollContractId }) };
  }
  const [before] = await queries.query<{ state: PaymentState }>(
    'select state from variable_payment where id = $1::bigint',
    [id],
  );
  if (before?.state === 'submitted') return { outcome: 'in-same-hands' };
  return before ? { outcome: 'decided-before', state: before.state } : { outcome: 'unknown' };
}

const LARGEST_ID = 2n ** 63n - 1n;

function isPaymentId(id: string): boolean {
  return /^[1-9]\d{0,18}$/.test(id) && BigInt(id) <= LARGEST_ID;
}
