import { z } from 'zod';

/** Columns of a table, with what a record puts into them. */
export type Row = Readonly<Record<string, string | null>>;

/** How the records of a kind are checked, and where they are kept. */
export interface RecordKind<Fields = never, Key extends keyof Fields = never> {
  /** The fields of a record, beside its `kind`. */
  readonly model: z.ZodType<Fields>;
  /** The fields of a deletion: those that tell one record from another. */
  readonly keyModel: z.ZodType<Pick<Fields, Key>>;
  readonly table: string;
  /** The columns of the table's primary key. */
  readonly key: (fields: Pick<Fields, Key>) => Row;
  /** All other columns. JSON text has the members in the order of the model, whatever the order of the feed. */
  readonly values: (fields: Fields) => Row;
  /** SQL for the id of the person whose view or time account a row of the table is part of; without it, of none. */
  readonly personId?: (row: string) => string;
  /** The columns that a deletion empties, of a table whose rows have their own change set. Other rows are removed. */
  readonly emptied?: readonly [string, ...string[]];
}

type Definition<Fields, Key extends keyof Fields> = Omit<RecordKind<Fields, Key>, 'model' | 'keyModel'> & {
  readonly model: z.ZodObject & z.ZodType<Fields>;
  readonly keyFields: readonly (Key & string)[];
};

/** Makes a kind from its definition. */
export function recordKind<Fields, Key extends keyof Fields>({
  model,
  keyFields,
  ...storage
}: Definition<Fields, Key>): RecordKind {
  const keyModel = z.strictObject(Object.fromEntries(keyFields.map((field) => [field, model.shape[field]])));
  const kind = {
    ...storage,
    model: z.compile(model, { strict: true }),
    keyModel: z.compile(keyModel, { strict: true }),
  };
  return kind as unknown as RecordKind;
}
