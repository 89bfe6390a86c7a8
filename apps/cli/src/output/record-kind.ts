/** A list of records, and what a row of it has. */
export interface RecordKind<T> {
  /** What the records are called, in the plural, such as `absences`. */
  readonly name: string;
  readonly columns: readonly Column[];
  /** The columns that a terminal shows unless `--fields` names others. */
  readonly table: readonly string[];
  /** The rows of an element. Default the element itself. */
  readonly rows?: ((element: T) => Iterable<object>) | undefined;
  /** What `--rows` calls these rows, so that JSON can have them too. */
  readonly rowName?: string;
  /** The columns that say whose list a row of `--rows` comes from. */
  readonly identity?: readonly string[];
  /**
   * What `--fields` may name in JSON, which shows elements and not rows. Default the names of the columns and of the
   * objects around them, such as `address`.
   */
  readonly fields?: readonly string[] | undefined;
}

/** A column of rows. `null` and `undefined` are both no value. */
export interface Column {
  /** Its name, such as `address.city`. */
  readonly name: string;
  readonly type: ColumnType;
  readonly value: (row: object) => unknown;
  /** The name of its field in JSON, if that is another one. */
  readonly field?: string;
  /** Of a list of objects: the columns of rows in which one of them takes the place of the list. */
  readonly items?: readonly Column[];
}

/**
 * What the values of a column are. A `date` is `2026-01-31`, a `datetime` is `2026-01-31T08:15:00` with an optional
 * fraction and an optional `Z`, an `integer` has at most 32 bits, and `json` is any JSON value.
 */
export type ColumnType = 'string' | 'date' | 'datetime' | 'number' | 'integer' | 'boolean' | 'json';
