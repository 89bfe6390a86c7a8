import { fieldsOf, ownerOf, systems } from '@hr/schemas/rules';
import type { System } from '@hr/schemas/rules';
import { isSince } from '../database/change-sets.ts';
import type { Since } from '../database/change-sets.ts';
import { listQuery } from '../database/list-query.ts';
import type { ListQuery } from '../database/list-query.ts';
import { fragmentFields } from './person-fragments.ts';

/** What a client sees of persons. */
export interface PersonGrants {
  /** Default all. */
  readonly systems?: readonly System[] | null | undefined;
  /** Default all. A client sees the fields that are both among these and of its systems, and `id`. */
  readonly fields?: readonly string[] | null | undefined;
  /** The names of custom fields. */
  readonly customFields: readonly string[];
  /** The change set in which this changed last. */
  readonly grantsChange?: string | null | undefined;
}

/** Whether a client sees a field. */
export function isVisible({ systems: granted, fields }: Omit<PersonGrants, 'customFields'>, field: string): boolean {
  return field === 'id' || ((granted?.includes(ownerOf(field)) ?? true) && (fields?.includes(field) ?? true));
}

/** What a client sees of a system's fragment, as SQL. */
interface VisiblePart {
  /** The members with a value, without custom fields. */
  readonly present: ListQuery;
  /** All members, with `null` for fields without a value. */
  readonly complete: ListQuery;
  /** Whether something changed that the client sees. */
  readonly changedSince: (since: Since) => ListQuery;
}

/** What a client sees of each system of which it sees any field. */
export function visibleParts(grants: PersonGrants): VisiblePart[] {
  return systems
    .filter((system) => fieldsOf(system).some((field) => isVisible(grants, field)))
    .map((system) => visiblePart(system, grants));
}

function visiblePart(system: System, grants: PersonGrants): VisiblePart {
  const fields = fragmentFields(system).filter((field) => isVisible(grants, field));
  const isWhole = fields.length === fragmentFields(system).length;
  const hasCustomFields = system === ownerOf('customFields') && isVisible(grants, 'customFields');
  const customFields = hasCustomFields ? customFieldKeys(grants) : [];
  // A mapping without a payroll record changes payroll, too. A client that sees no mappings may not learn of it.
  const isDated = isWhole && (system !== 'payroll' || isVisible(grants, 'payrollContractIds'));
  const changedSince = (since: Since): ListQuery => {
    if (!isDated) return anyChanged([...fields, ...customFields], since);
    const changed = isSince(column(`${system}_change`), since);
    return customFields.length === 0 ? changed : listQuery`(${changed} or ${anyChanged(customFields, since)})`;
  };
  const fragment = column(system);
  const { present, complete } = isWhole
    ? { present: fragment, complete: listQuery`${fragment} || ${column(`${system}_absent`)}` }
    : picked(fragment, fields);
  return {
    present,
    complete: hasCustomFields ? listQuery`${complete} || ${customFieldsMember(grants)}` : complete,
    changedSince,
  };
}

/** The member with those custom fields that a client sees. */
export function customFieldsMember(grants: PersonGrants): ListQuery {
  const { customFields: names } = grants;
  if (!isVisible(grants, 'customFields')) return listQuery`''`;
  if (names.length === 0) return listQuery`',"customFields":[]'`;
  return listQuery`',"customFields":[' || coalesce((
      select string_agg(field, ',' order by place)
      from unnest(custom_names, custom_json) with ordinality as custom (name, field, place) where name = any(${names})
    ), '') || ']'`;
}

/** Some of the members of a fragment: PostgreSQL parses the text, and keeps that of each value. */
function picked(fragment: ListQuery, fields: readonly string[]): Pick<VisiblePart, 'present' | 'complete'> {
  if (fields.length === 0) return { present: listQuery`''`, complete: listQuery`''` };
  const columns = column(fields.map((field) => `"${field}" json`).join(', '));
  const members = (memberOf: (field: string) => string): ListQuery => listQuery`(
    select ${column(fields.map(memberOf).join(' || '))}
    from json_to_record(('{' || substr(${fragment}, 2) || '}')::json) as picked (${columns}))`;
  return {
    present: members((field) => `coalesce(',"${field}":' || picked."${field}", '')`),
    complete: members((field) => `',"${field}":' || coalesce(picked."${field}"::text, 'null')`),
  };
}

/** The keys of `field_changes` for the custom fields that a client sees. A single field has no order that could change. */
function customFieldKeys({ customFields }: PersonGrants): string[] {
  return [...(customFields.length > 1 ? ['customFields'] : []), ...customFields.map((name) => `customFields ${name}`)];
}

/** SQL for whether any of these keys of `field_changes`, or the person, is new since a date. */
function anyChanged(keys: readonly string[], since: Since): ListQuery {
  const isNew = firstChangeIsSince(since);
  return keys.length === 0
    ? isNew
    : listQuery`(${isNew} or exists (
        select from jsonb_each_text(field_changes) as field (name, change)
        where name = any(${keys}) and ${isSince(listQuery`change::bigint`, since)}
      ))`;
}

/** SQL for whether a person is new since a date. */
export function firstChangeIsSince(since: Since): ListQuery {
  return isSince(listQuery`first_change`, since);
}

/** SQL that no caller wrote: names of columns and of fields. */
function column(text: string): ListQuery {
  return { text };
}
