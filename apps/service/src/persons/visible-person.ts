import { isVisible } from '@hr/schemas/provider';
import { fieldsOf, ownerOf, systems, type System } from '@hr/schemas/rules';
import { isSince, type Since } from '../database/change-sets.ts';
import { raw, sql, type Sql } from '../database/sql.ts';
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

/** What a client sees of a system's fragment, as SQL. */
interface VisiblePart {
  /** The members with a value, without custom fields. */
  readonly present: Sql;
  /** All members, with `null` for fields without a value. */
  readonly complete: Sql;
  /** Whether something changed that the client sees. */
  readonly changedSince: (since: Since) => Sql;
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
  const changedSince = (since: Since): Sql => {
    if (!isDated) return anyChanged([...fields, ...customFields], since);
    const changed = isSince(raw(`${system}_change`), since);
    return customFields.length === 0 ? changed : sql`(${changed} or ${anyChanged(customFields, since)})`;
  };
  const fragment = raw(system);
  const { present, complete } = isWhole
    ? { present: fragment, complete: sql`${fragment} || ${raw(`${system}_absent`)}` }
    : picked(fragment, fields);
  return {
    present,
    complete: hasCustomFields ? sql`${complete} || ${customFieldsMember(grants)}` : complete,
    changedSince,
  };
}

/** The member with those custom fields that a client sees. */
export function customFieldsMember(grants: PersonGrants): Sql {
  const { customFields: names } = grants;
  if (!isVisible(grants, 'customFields')) return raw(`''`);
  if (names.length === 0) return raw(`',"customFields":[]'`);
  return sql`',"customFields":[' || coalesce((
      select string_agg(field, ',' order by place)
      from unnest(custom_names, custom_json) with ordinality as custom (name, field, place) where name = any(${names})
    ), '') || ']'`;
}

/** Some of the members of a fragment: PostgreSQL parses the text, and keeps that of each value. */
function picked(fragment: Sql, fields: readonly string[]): Pick<VisiblePart, 'present' | 'complete'> {
  if (fields.length === 0) return { present: raw(`''`), complete: raw(`''`) };
  const columns = raw(fields.map((field) => `"${field}" json`).join(', '));
  const members = (memberOf: (field: string) => string): Sql => sql`(
    select ${raw(fields.map(memberOf).join(' || '))}
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
function anyChanged(keys: readonly string[], since: Since): Sql {
  const isNew = firstChangeIsSince(since);
  return keys.length === 0
    ? isNew
    : sql`(${isNew} or exists (
        select from jsonb_each_text(field_changes) as field (name, change)
        where name = any(${keys}) and ${isSince(raw('change::bigint'), since)}
      ))`;
}

/** SQL for whether a person is new since a date. */
export function firstChangeIsSince(since: Since): Sql {
  return isSince(raw('first_change'), since);
}
