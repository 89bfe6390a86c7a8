import type { PersonQuery } from '@hr/client/mirror';
import { z } from 'zod';
import { CliError, exitCodes } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../output/columns-of.ts';
import type { RecordKind } from '../output/record-kind.ts';
import { personKind } from '../output/record-kinds.ts';
import { fromMirror, upToDateMirror } from '../up-to-date-mirror.ts';

const Field = z.object({ field: z.string(), value: z.string(), system: z.string(), seen: z.string() });

/** A field of a person: its value, the system that owns it, and when it was last seen. */
const fieldKind: RecordKind<object> = {
  name: 'fields',
  columns: columnsOf(Field),
  table: Object.keys(Field.shape),
};

interface PersonOptions extends PersonQuery {
  readonly sync: boolean;
}

/** `hr persons list`. */
export async function list(context: Context, { sync, ...query }: PersonOptions): Promise<void> {
  await context.write(
    personKind,
    fromMirror(context, { sync }, (mirror) => mirror.persons(query)),
  );
}

/** `hr persons export`: like the list, but a table is never cut. */
export async function exportPersons(context: Context, { sync, ...query }: PersonOptions): Promise<void> {
  if (context.flags.out === undefined && context.terminal.stdout.isTTY) {
    throw new CliError('Name the file to write: --out persons.csv (or .ndjson, .json, .parquet).', exitCodes.usage);
  }
  await context.write(
    personKind,
    fromMirror(context, { sync }, (mirror) => mirror.persons(query)),
  );
}

/** `hr persons get`. */
export async function get(context: Context, id: string, { sync }: { sync: boolean }): Promise<void> {
  const mirror = await upToDateMirror(context, { sync });
  const stored = mirror.person(id);
  if (!stored)
    throw new CliError(`There is no person ${id}. To find persons, run: hr persons list --name`, exitCodes.notFound);
  const { person, seen } = stored;
  const { flags, terminal } = context;
  if (!terminal.stdout.isTTY || flags.output || flags.json || flags.fields || flags.out) {
    await context.write(personKind, [person]);
    return;
  }
  const lines = personKind.columns.flatMap(({ name, value }) => {
    const found = value(person);
    if (found === undefined || found === null) return [];
    const { system, at } = seen[name.split('.')[0] ?? ''] ?? {};
    return [{ field: name, value: typeof found === 'string' ? found : JSON.stringify(found), system, seen: at }];
  });
  await context.write(fieldKind, lines);
}
