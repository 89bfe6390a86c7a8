import { isSince, type Since } from '../database/change-sets.ts';
import type { Queries } from '../database/database.ts';
import type { JsonAnswer } from '../database/json-answer.ts';
import { knownList } from '../database/known-list.ts';
import type { List } from '../database/list.ts';
import { raw, sql, type Sql } from '../database/sql.ts';

/** SQL for the person of a payroll contract that has a payroll record, too: only then does the API know it. */
export function contractKnown(payrollContractId: string): Sql {
  return sql`select person_id from mapping join contract using (payroll_contract_id)
    where payroll_contract_id = ${payrollContractId}`;
}

/** The states of a variable payment (section 3). */
export const paymentStates = ['submitted', 'approved', 'rejected'] as const;

const apiMembers = `
  'payrollContractId', payroll_contract_id, 'billingPeriod', billing_period, 'correctionPeriod', correction_period,
  'compensationComponentId', compensation_component_id,
  'amount', amount, 'hours', hours, 'days', days, 'hourlyFactor', hourly_factor, 'percentage', percentage`;

/** What the API shows of a payment, and what operators see. */
export const paymentJson = `json_strip_nulls(json_build_object(${apiMembers}))::text`;
export const operatorJson = `json_strip_nulls(json_build_object('id', id::text, 'state', state, ${apiMembers},
  'masterCostCenter', master_cost_center, 'submittedBy', submitted_by, 'submittedAt', submitted_at,
  'idempotencyKey', idempotency_key, 'decidedBy', decided_by, 'decidedAt', decided_at, 'reason', reason))::text`;
/** All that is stored of a payment. */
export const storedPaymentJson = `${operatorJson}::jsonb || json_strip_nulls(json_build_object('decision', decision::text))::jsonb`;
const decisionJson = `json_strip_nulls(json_build_object(${apiMembers}, 'idempotencyKey', idempotency_key,
  'state', state, 'decidedAt', decided_at, 'reason', reason))::text`;

/**
 * The decisions on the payments that a client submitted, in the order of their submission (section 4.3).
 *
 * @param since only decisions that were made since then
 */
export function paymentDecisions(clientId: string, since?: Since): List {
  const made = since ? isSince(raw('decision'), since) : raw(`state <> 'submitted'`);
  return [
    sql`select id as key, ${raw(decisionJson)} as element from variable_payment where submitted_by = ${clientId} and ${made}`,
  ];
}

/** The approved payments of a payroll contract, as a JSON array; `undefined` where the contract is unknown. */
export function listVariablePayments(
  queries: Queries,
  payrollContractId: string,
  billingPeriod: string | undefined,
): Promise<JsonAnswer | undefined> {
  return knownList(queries, {
    known: contractKnown(payrollContractId),
    elements: sql`
      select (billing_period, id) as key, ${raw(paymentJson)} as element from variable_payment
      where payroll_contract_id = ${payrollContractId} and state = 'approved'
        and ${billingPeriod === undefined ? raw('true') : sql`billing_period = ${billingPeriod}`}`,
  });
}
