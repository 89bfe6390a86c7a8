import type { Person } from '../hr-client.ts';
import { searchableText, searchWords } from '../search.ts';
import type { PersonQuery } from './mirror.ts';

/** Separates ids in a column: no identifier has it. */
const SEPARATOR = '\u001F';

/** Returns the values of the columns `status`, `words`, `group_ids` and `contract_ids`, by which a person can be found. */
export function searchColumns(person: Person): (string | null)[] {
  // Not the birth name: a search must not reveal fields that a program does not show.
  const { academicTitle, titleOfNobility, firstName, middleName, prefixToLastName, lastName } = person;
  const { suffixToLastName, employeeNumber, id, status, groups, employments } = person;
  const name = [academicTitle, titleOfNobility, firstName, middleName, prefixToLastName, lastName, suffixToLastName];
  return [
    status ?? null,
    searchableText([...name, employeeNumber, id].join(' ')),
    listed(groups?.map((group) => group.id)),
    listed(employments?.map(({ payrollContractId }) => payrollContractId)),
  ];
}

/** A condition in SQL. It does not apply if a value is undefined. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly (string | undefined)[];
}

/** Conditions on these columns. No index helps with parts of them, so a search reads the narrow table of persons. */
export function searchConditions({ name = '', group, contract, status, after }: PersonQuery): Condition[] {
  const words = searchWords(name);
  return [
    // Such as `%`. Without a condition, it would find everyone.
    ...(words.length === 0 && name.trim() !== '' ? [{ sql: 'false', values: [] }] : []),
    { sql: 'id > ?', values: [after] },
    { sql: 'status = ?', values: [status] },
    { sql: 'instr(group_ids, ?)', values: [group === undefined ? group : listed([group])] },
    { sql: 'instr(contract_ids, ?)', values: [contract === undefined ? contract : listed([contract])] },
    ...words.map((spellings) => ({
      sql: spellings.map(() => 'instr(words, ?)').join(' OR '),
      values: spellings.map((word) => ` ${word}`),
    })),
  ];
}

/** Joins the conditions that apply. */
export function allOf(conditions: readonly Condition[]): { readonly sql: string; readonly values: string[] } {
  const applying = conditions.filter(({ values }) => values.every((value) => value !== undefined));
  return {
    sql: ['true', ...applying.map(({ sql }) => `(${sql})`)].join(' AND '),
    values: applying.flatMap(({ values }) => values as string[]),
  };
}

function listed(ids: readonly string[] = []): string {
  let list = '';
  for (const id of ids) list += SEPARATOR + id + SEPARATOR;
  return list;
}
