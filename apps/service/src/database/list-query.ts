import { escapeLiteral } from 'pg';

/**
 * A statement that gives a list: the columns `key` (unique, the order of the list: text in collation "C", or a number) and
 * `element` (JSON text in one line). A page of it begins behind a key, so an index in the order of the keys should serve
 * it. It has no placeholders, as COPY takes none: {@link listQuery} writes values as literals.
 */
export interface ListQuery {
  readonly text: string;
  /** Lists of other keys, whose elements stand among these. */
  readonly among?: readonly ListQuery[];
}

/**
 * A {@link ListQuery} from a template; every value in it becomes an SQL literal, a list of values an SQL array, and
 * other list queries nest.
 *
 * @example
 * listQuery`select person_id as key, element from person where person_id = ${id}`;
 */
export function listQuery(
  parts: TemplateStringsArray,
  ...values: readonly (string | readonly string[] | ListQuery)[]
): ListQuery {
  const written = values.map((value) => {
    if (typeof value === 'string') return escapeLiteral(value);
    return 'text' in value ? value.text : `array[${value.map((each) => escapeLiteral(each)).join(', ')}]::text[]`;
  });
  return { text: String.raw({ raw: parts }, ...written) };
}
