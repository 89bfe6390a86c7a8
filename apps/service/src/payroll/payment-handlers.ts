import { HttpProblem } from '@hr/schemas/provider';
import { inSameHands } from '../clients/client-makers.ts';
import { datedChange } from '../database/change-sets.ts';
import type { Queries } from '../database/database.ts';
import { oneRecord, type JsonAnswer } from '../database/json-answer.ts';
import { jsonArray, listPage } from '../database/list-page.ts';
import type { List } from '../database/list.ts';
import { raw, sql, type Sql } from '../database/sql.ts';
import type { Handlers } from '../http/route.ts';
import { momentOf } from '../operator/list-parameters.ts';
import { PAYMENT_ID, type PaymentFilter, type paymentOperations } from './payment-operations.ts';
import { operatorJson, paymentStates } from './variable-payments.ts';

/** The payments that match all of the filter, as operators see them, oldest first. Days begin in `timeZone`. */
export function paymentList(filter: PaymentFilter, timeZone: string): List {
  const { state, billingPeriod, submittedBy } = filter;
  const matching = matchingPayments(filter, timeZone);
  const payments = sql`select id as key, ${raw(operatorJson)} as element from variable_payment where ${matching}`;
  if ((state ?? billingPeriod ?? submittedBy) === undefined) return [payments];
  // Within a state, an index has the payments of a billing period or a client in the order of their ids.
  return [...new Set(state?.split(',') ?? paymentStates)].map((each) => sql`${payments} and state = ${each}`);
}

function countPayments(
  queries: Queries,
  { sums, ...filter }: PaymentFilter & { readonly sums?: 'true' | undefined },
  timeZone: string,
): Promise<JsonAnswer> {
  const added = raw(sums ? `, 'amount', sum(amount), 'hours', sum(hours), 'days', sum(days)` : '');
  const matching = matchingPayments(filter, timeZone);
  const states = filter.state === undefined ? raw('true') : sql`state = any(${filter.state.split(',')})`;
  return jsonArray(
    queries,
    sql`select (billing_period, state) as key, json_strip_nulls(json_build_object('billingPeriod', billing_period,
        'state', state, 'payments', count(*)${added})) as element
    from variable_payment where ${matching} and ${states} group by billing_period, state`,
  );
}

function matchingPayments(filter: PaymentFilter, timeZone: string): Sql {
  const { id, idempotencyKey, billingPeriod, payrollContractId, submittedBy, submittedSince } = filter;
  const exact = { billing_period: billingPeriod, submitted_by: submittedBy };
  const several = { id, idempotency_key: idempotencyKey, payroll_contract_id: payrollContractId };
  let matching = raw('true');
  for (const [column, value] of Object.entries(exact)) {
    if (value !== undefined) matching = sql`${matching} and ${raw(column)} = ${value}`;
  }
  for (const [column, values] of Object.entries(several)) {
    const type = raw(column === 'id' ? '::bigint[]' : '');
    if (values !== undefined) matching = sql`${matching} and ${raw(column)} = any(${values.split(',')}${type})`;
  }
  if (submittedSince === undefined) return matching;
  const since = momentOf(submittedSince, timeZone);
  // The first of them is found among moments: to walk all ids up to it would take longer. `offset` keeps the planner from it.
  return sql`${matching} and submitted_at >= ${since} and id >= (select min(id) from
    (select id from variable_payment where submitted_at >= ${since} offset 0) as submitted)`;
}

interface Decision {
  readonly id: string;
  readonly state: 'approved' | 'rejected';
  /** Who decides: a client's id, or `command line`. */
  readonly decidedBy: string;
  readonly reason?: string | undefined;
}

/**
 * Approves or rejects a submitted payment, once; `undefined` if there is none with this id.
 *
 * @throws {HttpProblem} `already-decided`, or `forbidden` for a client in the same hands as the one that submitted it.
 */
export async function decidePayment(
  queries: Queries,
  { id, state, decidedBy, reason }: Decision,
): Promise<JsonAnswer | undefined> {
  if (!PAYMENT_ID.test(id)) return undefined;
  const [decided] = await queries.query<{ payment: string; payrollContractId: string }>(
    `with decided as materialized (
      select id, submitted_by from variable_payment
      where id = $1::bigint and state = 'submitted' and not ${inSameHands('$3', 'submitted_by')} for no key update
    ), ${datedChange(`array(select 'decisions ' || submitted_by from decided)`, 'exists (select from decided)')}
    update variable_payment
    set state = $2, decided_by = $3, decided_at = clock_timestamp(), reason = $4, decision = (select id from change)
    where id = (select id from decided)
    returning ${operatorJson} as payment, payroll_contract_id as "payrollContractId"`,
    [id, state, decidedBy, reason ?? null],
  );
  if (decided) return oneRecord(decided.payment, { payrollContractId: decided.payrollContractId });
  const [before] = await queries.query<{ state: (typeof paymentStates)[number] }>(
    'select state from variable_payment where id = $1::bigint',
    [id],
  );
  if (!before) return undefined;
  if (before.state !== 'submitted') {
    throw new HttpProblem('already-decided', `The payment is ${before.state}; a decision is final.`);
  }
  throw new HttpProblem(
    'forbidden',
    'This client, or one that made it or rotated its secret, also made the client that submitted the payment or rotated its secret. Let another operator or the command line decide.',
  );
}

function decide(state: Decision['state']): Handlers<typeof paymentOperations>['operatorApproveVariablePayment'] {
  return ({ transaction, path, body, grant }) =>
    decidePayment(transaction, { id: path.paymentId, state, decidedBy: grant.clientId, reason: body?.reason });
}

/** The variable payments, to decide on. */
export const paymentHandlers = {
  operatorListVariablePayments: ({ database, query, config }) =>
    listPage(database, paymentList(query, config.timeZone), query),
  operatorCountVariablePayments: ({ database, query, config }) => countPayments(database, query, config.timeZone),
  operatorApproveVariablePayment: decide('approved'),
  operatorRejectVariablePayment: decide('rejected'),
} satisfies Handlers<typeof paymentOperations>;
