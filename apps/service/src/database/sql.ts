import { escapeLiteral } from 'pg';

type Value = string | readonly string[];

/** A piece of SQL, and the values in it. {@link sql} makes one, also of others. */
export interface Sql {
  /** The texts around the values: one more than there are values. */
  readonly texts: readonly string[];
  /** A list is an array of texts. */
  readonly values: readonly Value[];
}

/**
 * SQL from a template. Values stay apart from its text, and other pieces become part of it.
 *
 * @example
 * const isKnown = sql`person_id = ${id}`;
 * sql`select document from source_document where ${isKnown}`;
 */
export function sql(parts: TemplateStringsArray, ...inserted: readonly (Value | Sql)[]): Sql {
  const [first = '', ...rest] = parts;
  const texts = [first];
  const values: Value[] = [];
  for (const [index, each] of inserted.entries()) {
    const piece = typeof each === 'object' && 'texts' in each ? each : { texts: ['', ''], values: [each] };
    const [head = '', ...others] = piece.texts;
    texts.push((texts.pop() ?? '') + head, ...others);
    texts.push((texts.pop() ?? '') + (rest[index] ?? ''));
    values.push(...piece.values);
  }
  return { texts, values };
}

/** SQL that no caller wrote, such as the name of a column. */
export function raw(text: string): Sql {
  return { texts: [text], values: [] };
}

/** Pieces of SQL, one after the other. */
export function joined(pieces: readonly Sql[], separator = ''): Sql {
  const [first = raw(''), ...others] = pieces;
  return others.reduce((all, piece) => sql`${all}${raw(separator)}${piece}`, first);
}

/** A statement with a placeholder for each value, as `Queries.query` takes it. */
export function bound({ texts, values }: Sql): [text: string, values: Value[]] {
  return [
    written(texts, (index) => `$${index + 1}${typeof values[index] === 'string' ? '' : '::text[]'}`),
    [...values],
  ];
}

/** A statement with the values as literals, for COPY, which takes no placeholders. */
export function literal({ texts, values }: Sql): string {
  return written(texts, (index) => {
    const value = values[index] ?? '';
    if (typeof value === 'string') return escapeLiteral(value);
    return `array[${value.map((each) => escapeLiteral(each)).join(', ')}]::text[]`;
  });
}

function written(texts: readonly string[], valueAt: (index: number) => string): string {
  return texts.map((text, index) => (index === 0 ? text : valueAt(index - 1) + text)).join('');
}
