import type { Mirror, MirroredPerson, PersonQuery } from '@hr/client/mirror';
import { Person } from '@hr/schemas';
import { printable } from '@hr/text/printable';
import { CliError, exitCodes } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { columnsNamed, kindOf } from '../output/columns-of.ts';
import { personKind } from '../output/record-kinds.ts';
import { knownValues } from './known-values.ts';
import { fromMirror, upToDateMirror } from '../up-to-date-mirror.ts';

const MAX_SHOWN = 50;

/** A field of a person: its value, the system that owns it, and when it was last seen. */
const fieldKind = kindOf('fields', columnsNamed('string', 'field', 'value', 'system', 'seen'));

interface PersonOptions extends PersonQuery {
  readonly sync: boolean;
}

/** `hr persons list`. */
export async function list(context: Context, { sync, ...query }: PersonOptions): Promise<void> {
  const { group, status } = query;
  const isFiltered = group !== undefined || status !== undefined;
  // Before the first line is written. Without a filter, the flags of the output are checked before a sync.
  if (isFiltered) checkFilters(await upToDateMirror(context, { sync }), { group, status });
  const persons = fromMirror(context, { sync: sync && !isFiltered }, (mirror) => mirror.persons(query));
  await context.write(personKind, persons);
}

/** `hr persons export`: like the list, but a table is never cut. */
export async function exportPersons(context: Context, options: PersonOptions): Promise<void> {
  if (context.flags.out === undefined && context.terminal.stdout.isTTY) {
    throw new CliError('Name the file to write: --out persons.csv (or .ndjson, .json, .parquet).', exitCodes.usage);
  }
  await list(context, options);
}

/** @throws {CliError} If no person has a value that the API does not specify either: it may be misspelt. */
function checkFilters(mirror: Mirror, filters: Pick<PersonQuery, 'group' | 'status'>): void {
  for (const name of ['group', 'status'] as const) {
    const value = filters[name];
    const isSpecified = name === 'status' && Person.shape.status.safeParse(value).success;
    if (value === undefined || isSpecified || mirror.countPersons({ [name]: value }) > 0) continue;
    const known = knownValues(mirror, name);
    const shown = known.slice(0, MAX_SHOWN).join(', ') + (known.length > MAX_SHOWN ? ', …' : '');
    const message = `--${name} ${value}: there is no such ${name}. The local copy has ${shown || 'none'}.`;
    throw new CliError(printable(message), exitCodes.usage);
  }
}

/** `hr persons get`. */
export async function get(context: Context, id: string, { sync }: { sync: boolean }): Promise<void> {
  const mirror = await upToDateMirror(context, { sync });
  const { person, seen } = storedPerson(mirror, id);
  if (!context.terminal.stdout.isTTY || context.wantsRecords || context.flags.fields) {
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

/** @throws {CliError} If the local copy has no such person. */
export function storedPerson(mirror: Mirror, id: string): MirroredPerson {
  const stored = mirror.person(id);
  if (stored) return stored;
  throw new CliError(`There is no person ${id}. To find persons, run: hr persons list --name`, exitCodes.notFound);
}
