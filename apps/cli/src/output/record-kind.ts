/** A list of records, and what a row of it has. */
export interface RecordKind<T> {
  /** What the records are called, in the plural, such as `absences`. */
  readonly name: string;
  readonly columns: readonly Column[];
  /** The columns that a terminal shows unless `--fields` names others. */
  readonly table: readonly string[];
  /** The rows of an element. Default the element itself. */
  rows?(element: T): Iterable<object>;
  /**
   * What `--fields` may name in JSON, which shows elements and not rows. Default the names of the columns and of the
   * objects around them, such as `address`.
   */
  readonly fields?: readonly string[];
}

/** A column of rows. `null` and `undefined` are both no value. */
export interface Column {
  /** Its name, such as `address.city`. */
  readonly name: string;
  readonly type: ColumnType;
  readonly value: (row: object) => unknown;
}

/**
 * What the values of a column are. A `date` is `2026-01-31`, a `datetime` is `2026-01-31T08:15:00` with an optional
 * fraction and an optional `Z`, an `integer` has at most 32 bits, and `json` is any JSON value.
 */
export type ColumnType = 'string' | 'date' | 'datetime' | 'number' | 'integer' | 'boolean' | 'json';
