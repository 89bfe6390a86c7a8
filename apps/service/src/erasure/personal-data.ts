import { Readable } from 'node:stream';
import { READ_COPY } from '../audit/audit-events.ts';
import { auditEventJson } from '../audit/audit-handlers.ts';
import { storedPaymentJson } from '../payroll/variable-payments.ts';
import type { Database } from '../database/database.ts';
import type { JsonStream } from '../database/json-answer.ts';
import type { List } from '../database/list.ts';
import { raw, sql } from '../database/sql.ts';

/**
 * SQL for the payroll contracts of the person `$1`, by `payroll_contract_id`: those that are mapped to the person, and those
 * without a mapping whose last one was.
 */
export const ownContracts = `
  select payroll_contract_id from mapping where person_id = $1
  union all
  select payroll_contract_id from former_mapping as former where person_id = $1
    and not exists (select from mapping where mapping.payroll_contract_id = former.payroll_contract_id)
    and not exists (
      select from former_mapping as later
      where later.payroll_contract_id = former.payroll_contract_id and later.ended_at > former.ended_at
    )`;
/** Of the table expression `own`, which has the {@link ownContracts}. */
const ofContracts = 'payroll_contract_id in (select payroll_contract_id from own)';
/** Of the person who had the contract when they were submitted. */
const ofPayments = `(person_id = $1 or (person_id is null and ${ofContracts}))`;

interface PersonalData {
  readonly table: string;
  /** SQL that finds the rows of the person `$1`. */
  readonly where: string;
  /** SQL for a row as JSON. */
  readonly element: string;
  /** SQL for the order of the rows. */
  readonly order: string;
  /** Outlives the person: it holds ids alone. */
  readonly stays?: true;
  /** The columns that an erasure or a deletion empties, that of the content first. What is left tells readers of changes what is gone. */
  readonly emptied?: readonly [string, ...string[]];
}

const changedAt = (change: string): string => `(select changed_at from change_set where change_set.id = ${change})`;
const kept = (members: string): string => `json_strip_nulls(json_build_object(${members}))`;

const stays = { stays: true } as const;

/** @param element SQL for a row as JSON */
function rowsOf(table: string, element: string, others: Partial<PersonalData> = {}): PersonalData {
  return { table, element, where: 'person_id = $1', order: 'person_id', ...others };
}

/** All that is stored about a person, by its name in an export. */
export const personalData = {
  view: rowsOf(
    'person_view',
    kept(`'person', (head || master || payroll || time || '}')::json,
      'customFields', ('[' || array_to_string(custom_json, ',') || ']')::json,
      'storedAt', ${changedAt('first_change')}, 'masterChangedAt', ${changedAt('master_change')},
      'payrollChangedAt', ${changedAt('payroll_change')}, 'timeChangedAt', ${changedAt('time_change')},
      'customFieldsChangedAt', ${changedAt('custom_change')},
      'fieldsChangedAt', (
        select coalesce(json_object_agg(name, ${changedAt('change::bigint')}), '{}')
        from jsonb_each_text(field_changes) as field (name, change)
      )`),
  ),
  sources: rowsOf('source_document', kept(`'kind', kind, 'document', document::json`), { order: 'kind' }),
  patches: rowsOf(
    'person_patch',
    kept(`'property', property, 'document', document::json, 'feedContent', feed_content::json`),
    { order: 'property' },
  ),
  deletion: rowsOf('gone_person', kept(`'isErased', is_erased, 'deletedAt', ${changedAt('change')}`), stays),
  timeAccount: rowsOf('time_account', kept(`'changedAt', ${changedAt('change')}`), stays),
  timeDays: rowsOf('time_day', kept(`'date', date, 'day', day::json, 'changedAt', ${changedAt('change')}`), {
    order: 'date',
    emptied: ['day'],
  }),
  absences: rowsOf('absence', kept(`'id', id, 'absence', absence::json, 'changedAt', ${changedAt('change')}`), {
    order: 'start_date, id',
    emptied: ['absence', 'start_date', 'end_date'],
  }),
  movedAbsences: rowsOf('moved_absence', kept(`'id', id, 'movedAt', ${changedAt('change')}`), {
    order: 'id',
    ...stays,
  }),
  salaries: rowsOf('salary_entry', 'entry::json', { where: ofContracts, order: 'payroll_contract_id, month' }),
  idempotencyKeys: rowsOf(
    'idempotency_key',
    kept(`'variablePaymentId', variable_payment_id::text, 'clientId', client_id, 'createdAt', created_at`),
    {
      where: `variable_payment_id in (select id from variable_payment where ${ofPayments})`,
      order: 'variable_payment_id',
    },
  ),
  variablePayments: rowsOf('variable_payment', `(${storedPaymentJson})::json`, {
    where: ofPayments,
    order: 'variable_payment.id',
  }),
  contracts: rowsOf('contract', kept(`'employment', employment::json, 'masterCostCenter', master_cost_center`), {
    where: ofContracts,
    order: 'payroll_contract_id',
  }),
  formerMappings: rowsOf('former_mapping', kept(`'payrollContractId', payroll_contract_id, 'endedAt', ended_at`), {
    order: 'payroll_contract_id',
  }),
  mappings: rowsOf('mapping', kept(`'payrollContractId', payroll_contract_id`), { order: 'payroll_contract_id' }),
  tombstone: rowsOf(
    'tombstone',
    kept(`'payrollContractIds', payroll_contract_ids, 'erasedAt', erased_at, 'erasedBy', erased_by,
      'readmittedAt', readmitted_at`),
    stays,
  ),
  auditEvents: rowsOf('audit_event', auditEventJson, { order: 'id', ...stays }),
};

/** What is erased of a person, in the order in which it can be. */
export const erasable = (Object.keys(personalData) as (keyof typeof personalData)[]).filter(
  (name) => !personalData[name].stays,
);

/** Operations that list all persons, so that their events name none; reads of copies may. */
const listsOfAll = ['listPersons', 'listTimeBookings', 'listAllAbsences', 'listAllSalaries', READ_COPY];

/**
 * All that is stored about a person, as one JSON object of one moment; `undefined` where nothing is. The events of the
 * audit, which can be very many, are read while they are sent. They never change, so they are those of that moment, too.
 */
export async function exportPerson(database: Database, personId: string): Promise<JsonStream | undefined> {
  const parts = Object.entries(personalData);
  const { auditEvents: _, ...own } = personalData;
  const members = Object.entries(own).map(
    ([name, { table, where, element, order }]) =>
      `'${name}', (select coalesce(json_agg(${element} order by ${order}), '[]') from ${table} where ${where})`,
  );
  // One statement sees one moment.
  const [row] = await database.query<{ document: string; exportedAt: string; storedAt: string | null }>(
    `with own as (${ownContracts})
    select json_build_object('personId', $1::text, 'exportedAt', now(), ${members.join(', ')})::text as document,
      now()::text as "exportedAt", (
        select coalesce(changed_at, 'epoch')::text from person_view left join change_set on id = first_change
        where person_id = $1
      ) as "storedAt"
    where ${parts.map(([, { table, where }]) => `exists (select from ${table} where ${where})`).join(' or ')}`,
    [personId],
  );
  if (!row) return undefined;
  const events = await database.list(eventsAbout(personId, row));
  async function* bytes(): AsyncGenerator<Buffer> {
    yield Buffer.from(`${row?.document.slice(0, -1)},"auditEvents":`);
    yield* events.json as AsyncIterable<Buffer>;
    yield Buffer.from('}');
  }
  const json = Readable.from(bytes(), { objectMode: false });
  // The list of events may be ended before anything is read of it, and it must not outlive a reader that goes away.
  events.json.on('error', (fault) => json.destroy(fault));
  json.once('close', () => events.json.destroy());
  return { json, elements: 1 };
}

/** The events that name a person, and those of lists that could show the person, as they are from then on. */
function eventsAbout(
  personId: string,
  { exportedAt, storedAt }: { readonly exportedAt: string; readonly storedAt: string | null },
): List {
  const event = sql`select id as key, ${raw(auditEventJson)}::text as element from audit_event
    where id < audit_event_id(${exportedAt}::timestamptz)`;
  const lists = (storedAt === null ? [] : listsOfAll).map(
    (operation) => sql`${event} and operation = ${operation} and person_id is null and payroll_contract_id is null
      and elements > 0 and id >= audit_event_id(${storedAt ?? ''}::timestamptz)`,
  );
  return [sql`${event} and person_id = ${personId}`, ...lists];
}
