import type { VariablePaymentRequest } from '@hr/schemas';
import { problems } from '@hr/schemas/provider';
import { datedChange } from '../database/change-sets.ts';
import type { Queries } from '../database/database.ts';
import { oneRecord, type JsonAnswer } from '../database/json-answer.ts';
import { paymentJson } from './variable-payments.ts';
import { secretHash } from '../clients/secrets.ts';

/** A variable payment on its way in. */
export interface Submission {
  readonly payrollContractId: string;
  readonly billingPeriod: string;
  readonly payment: VariablePaymentRequest;
  readonly clientId: string;
  readonly idempotencyKey?: string | undefined;
}

/** The columns of a payment that a submission tells, and the same from {@link submittedValues} as `$1` to `$9`. */
const submittedColumns = `payroll_contract_id, billing_period, correction_period, compensation_component_id,
  amount, hours, days, hourly_factor, percentage`;
const submittedParameters = `$1::text, $2::text, $3::text, $4::text,
  $5::text::numeric, $6::text::numeric, $7::text::numeric, $8::text::numeric, $9::text::numeric`;

function submittedValues({ payrollContractId, billingPeriod, payment }: Submission): (string | null)[] {
  const { correctionPeriod, compensationComponentId, amount, hours, days, hourlyFactor, percentage } = payment;
  return [
    payrollContractId,
    billingPeriod,
    correctionPeriod ?? billingPeriod,
    compensationComponentId,
    // The shortest text of a number is what an SQL numeric keeps of it.
    ...[amount, hours, days, hourlyFactor, percentage].map((value) => (value === undefined ? null : String(value))),
  ];
}

/**
 * Stores a payment for approval (section 4.3), whose person is not erased meanwhile, and gives it as the API shows it; `undefined`
 * where the contract is unknown.
 */
export async function submitVariablePayment(
  queries: Queries,
  submission: Submission,
): Promise<(JsonAnswer & { readonly id: string }) | undefined> {
  const [row] = await queries.query<{ id: string; payment: string }>(
    `with submitted as (
      insert into variable_payment (${submittedColumns}, person_id, master_cost_center, submitted_by, idempotency_key)
      select ${submittedParameters}, person_id, master_cost_center, $10, $11
      from mapping join contract using (payroll_contract_id) where payroll_contract_id = $1 for key share of mapping
      returning id::text, ${paymentJson} as payment
    ), ${datedChange("array['payments']", 'exists (select from submitted)')}
    select * from submitted`,
    [...submittedValues(submission), submission.clientId, submission.idempotencyKey ?? null],
  );
  return row && { id: row.id, ...oneRecord(row.payment, { objectId: row.id }) };
}

/** A payment that a client has submitted before; `undefined` if there is none. */
export async function submittedPayment(
  queries: Queries,
  submission: Submission,
): Promise<{ readonly id: string; readonly state: string } | undefined> {
  const [row] = await queries.query<{ id: string; state: string }>(
    `select id::text, state from variable_payment where payroll_contract_id = $1::text
      and (${submittedColumns}) is not distinct from (${submittedParameters}) and submitted_by = $10 for update`,
    [...submittedValues(submission), submission.clientId],
  );
  return row;
}

const KEPT = `interval '24 hours'`;
/** Expired keys that one statement deletes. */
const MAX_DELETED = 1000;

/**
 * Stores a payment as {@link submitVariablePayment} does, unless the client used the key for it within the last 24 hours:
 * then the result is the stored payment, with no elements. The transaction locks the key.
 *
 * @throws {HttpProblem} where the key is used at the same time, or was used for a different payment.
 */
export async function submitVariablePaymentOnce(
  transaction: Queries,
  submission: Submission,
  idempotencyKey: string,
): Promise<JsonAnswer | undefined> {
  const keyHash = secretHash(JSON.stringify([submission.clientId, idempotencyKey]));
  // A separate statement: only the next one sees what the previous holder of the lock has stored.
  const [lock] = await transaction.query<{ held: boolean }>('select pg_try_advisory_xact_lock($1::bigint) as held', [
    String(keyHash.readBigInt64BE()),
  ]);
  const [before] = await transaction.query<{ id: string; payment: string; isSame: boolean }>(
    `select id::text, ${paymentJson} as payment, (${submittedColumns}) is not distinct from (${submittedParameters}) as "isSame"
    from idempotency_key join variable_payment on variable_payment.id = variable_payment_id
    where key_hash = $10 and created_at > now() - ${KEPT}`,
    [...submittedValues(submission), keyHash],
  );
  if (before) {
    if (!before.isSame) throw problems.keyReused();
    return { ...oneRecord(before.payment, { objectId: before.id }), elements: 0 };
  }
  if (!lock?.held) throw problems.keyInFlight();
  const payment = await submitVariablePayment(transaction, { ...submission, idempotencyKey });
  if (payment) {
    // One that is no longer kept may still be stored, or just be deleted.
    await transaction.query(
      `insert into idempotency_key (key_hash, client_id, variable_payment_id) values ($1, $2, $3::bigint)
      on conflict (key_hash) do update
        set variable_payment_id = excluded.variable_payment_id, created_at = excluded.created_at`,
      [keyHash, submission.clientId, payment.id],
    );
  }
  return payment;
}

/** Deletes some of the keys that are no longer kept, and tells whether there may be more. */
export async function deleteExpiredKeys(queries: Queries): Promise<boolean> {
  const deleted = await queries.query(
    `delete from idempotency_key where key_hash in (
      select key_hash from idempotency_key where created_at <= now() - ${KEPT}
      order by created_at limit ${MAX_DELETED} for update skip locked
    ) returning 1`,
  );
  return deleted.length === MAX_DELETED;
}
