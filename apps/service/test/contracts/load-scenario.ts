import { Readable } from 'node:stream';
import { fieldsOf, systems, type System } from '@hr/schemas/rules';
import { HrTestingError } from '@hr/testing/provider';
import type { Scenario } from '@hr/testing/states';
import { changeCustomFields } from '../../src/clients/custom-field-handlers.ts';
import { createClient } from '../../src/clients/clients.ts';
import { scopes, type Scope } from '../../src/http/grant.ts';
import type { Database, Queries } from '../../src/database/database.ts';
import { erasePerson } from '../../src/erasure/erase-person.ts';
import { decidePayment } from '../../src/payroll/payment-handlers.ts';
import { submitVariablePayment, submitVariablePaymentOnce } from '../../src/payroll/submit-variable-payment.ts';
import { demoRecords } from '../../src/demo/load-demo.ts';
import { importFeed } from '../../src/feed/import-feed.ts';
import { createWebhookEndpoint, recordDelivery } from '../../src/webhooks/endpoints.ts';

interface ScenarioSettings {
  /** The client under test, which has submitted the payments. */
  readonly clientId: string;
  /** Where the days of changes begin. */
  readonly timeZone: string;
}

/** Loads a scenario into an empty database, the way data enters the service: by feed, submission and operator. */
export async function loadScenario(database: Database, scenario: Scenario, settings: ScenarioSettings): Promise<void> {
  const { members, parametersOf } = scenario;
  await loadFeed(database, members.flatMap(demoRecords));
  await database.transaction(async (transaction) => {
    await makePayments(transaction, scenario, settings);
    await dateChanges(transaction, scenario, settings);
    await makeClients(transaction, scenario);
    await makeWebhookEndpoints(transaction, scenario, settings);
    // oxlint-disable-next-line no-await-in-loop -- a transaction runs one statement at a time
    for (const { id } of parametersOf('an erased person')) await erasePerson(transaction, id, 'operator');
  });
  await loadFeed(database, [
    ...parametersOf('a deleted day of time bookings').map((day) => ({ kind: 'deleteTimeDay', ...day })),
    ...parametersOf('a deleted absence').map(({ id }) => ({ kind: 'deleteAbsence', id })),
    ...parametersOf('a deleted person').map(({ id }) => ({ kind: 'deletePerson', id })),
  ]);
}

/** The names of the custom fields of a scenario's persons. */
export function customFieldsOf({ members }: Scenario): string[] {
  const names = members.flatMap(({ person }) => person.customFields ?? []).map(({ name }) => name);
  return [...new Set(names)].filter((name) => name !== undefined);
}

async function loadFeed(database: Database, records: readonly object[]): Promise<void> {
  if (records.length === 0) return;
  const lines = records.map((record) => `${JSON.stringify(record)}\n`);
  // Sweeping takes longer than all else, and a scenario is gone before it would pay.
  const unswept: Database = { ...database, vacuum: async () => {} };
  await importFeed(unswept, [{ name: 'scenario', bytes: Readable.from([Buffer.from(lines.join(''))]) }], {
    strict: true,
    onBadLine({ line, issues }) {
      const faults = issues.map(({ pointer, detail }) => `${pointer} ${detail}`);
      throw new Error(`Line ${line} of the feed that states mean is refused: ${faults.join('; ')}.`);
    },
  });
}

// oxlint-disable no-await-in-loop -- a transaction runs one statement at a time
async function makePayments(
  transaction: Queries,
  { members, parametersOf }: Scenario,
  { clientId }: ScenarioSettings,
): Promise<void> {
  for (const each of members.flatMap(({ payments }) => payments)) {
    const { payrollContractId, billingPeriod, state, idempotencyKey, reason, ...payment } = each;
    const submission = { payrollContractId, billingPeriod, payment, clientId };
    const made = await (idempotencyKey === undefined
      ? submitVariablePayment(transaction, submission)
      : submitVariablePaymentOnce(transaction, submission, idempotencyKey));
    const { objectId: id } = made?.subject ?? {};
    if (id !== undefined && state !== 'submitted') {
      await decidePayment(transaction, { id, state, decidedBy: 'operator', reason });
    }
  }
  for (const { idempotencyKey, ...payment } of parametersOf('a payment submitted with a key')) {
    await submitVariablePaymentOnce(transaction, { ...payment, clientId }, idempotencyKey);
  }
}

/** Lets the systems of changed persons have changed on the day, and their others a moment before it. */
async function dateChanges(transaction: Queries, scenario: Scenario, { timeZone }: ScenarioSettings): Promise<void> {
  for (const { id, since, systems: changed } of scenario.parametersOf('a person who changed')) {
    const [row] = await transaction.query<{ onDay: string; before: string }>(
      `with day as (select $1::timestamp at time zone $2 as start),
      on_day as (insert into change_set (changed_at) select start from day returning id),
      before as (insert into change_set (changed_at) select start - interval '1 second' from day returning id)
      select on_day.id::text as "onDay", before.id::text as before from on_day, before`,
      [since, timeZone],
    );
    const change = (system: System): string => `${changed.includes(system) ? row?.onDay : row?.before}`;
    const fragments = [
      ...systems.map((system) => `${system}_change = ${change(system)}`),
      `custom_change = ${change('master')}`,
      `first_change = ${row?.before}`,
    ];
    const fields = systems.flatMap((system) => fieldsOf(system).map((field) => [field, change(system)]));
    await transaction.query(
      `update person_view set field_changes = $2::jsonb, ${fragments.join(', ')} where person_id = $1`,
      [id, JSON.stringify(Object.fromEntries(fields))],
    );
    for (const table of ['time_account', 'time_day', 'absence'])
      await transaction.query(`update ${table} set change = ${change('time')} where person_id = $1`, [id]);
  }
  // The days of a scenario are in any order.
  await transaction.query(`update change_period set opened_at = '-infinity'`);
}

async function makeClients(transaction: Queries, scenario: Scenario): Promise<void> {
  const names = customFieldsOf(scenario);
  for (const { clientId, clientSecret, scope: named } of scenario.parametersOf('an API client')) {
    const scope = scopeOf(named);
    await createClient(transaction, { name: 'of a contract', scope, clientId, clientSecret });
    if (scope === 'api:use') await changeCustomFields(transaction, 'allow', { clientId, names });
  }
}

async function makeWebhookEndpoints(
  transaction: Queries,
  { parametersOf }: Scenario,
  { clientId }: ScenarioSettings,
): Promise<void> {
  for (const { id, url } of parametersOf('a webhook endpoint')) {
    const { subject } = await createWebhookEndpoint(transaction, clientId, new URL(url).href);
    await transaction.query('update webhook_endpoint set id = $1 where id = $2', [id, subject?.objectId]);
  }
  for (const delivery of parametersOf('a webhook delivery')) await recordDelivery(transaction, delivery);
}
// oxlint-enable no-await-in-loop

function scopeOf(named: string): Scope {
  const scope = scopes.find((one) => one === named);
  if (!scope) throw new HrTestingError('invalid-option', `"an API client" takes the scopes ${scopes.join(' and ')}.`);
  return scope;
}
