import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import { paymentFields } from '@hr/text/read-payment';
import { z } from 'zod';
import { CliError, exitCodes } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { replaceFile } from '../output/replace-file.ts';
import { readToml, type Profile } from '../profile.ts';
import { isField } from './payment-row.ts';

const Texts = z.partialRecord(z.enum(paymentFields), z.string());
/** Texts by the field of a payment that they are for. */
export type Texts = z.output<typeof Texts>;

const PaymentMap = z.strictObject({
  /** The columns of the sheet. */
  columns: Texts,
  /** What is the same in every row. */
  values: Texts,
  delimiter: z.enum(['semicolon', 'comma', 'tab']).optional(),
  decimal: z.enum(['comma', 'point']).optional(),
  encoding: z.literal('windows-1252').optional(),
  ignoreColumns: z.literal(true).optional(),
  ignoreRows: z.literal(true).optional(),
});
/** Which columns of a sheet are which fields, and how its cells are written. */
export type PaymentMap = z.output<typeof PaymentMap>;

interface MapOptions extends Omit<PaymentMap, 'columns' | 'values'> {
  readonly delete?: true;
}

/** `hr payments map`: shows all maps or one as they are stored; or stores, changes or deletes one. */
export async function map(
  context: Context,
  name: string | undefined,
  pairs: readonly string[],
  { delete: isDeleted, ...settings }: MapOptions,
): Promise<void> {
  const profile = await context.profile();
  const maps = await readMaps(profile);
  const isChanged = pairs.length > 0 || Object.keys(settings).length > 0;
  if (name === undefined || (!isDeleted && !isChanged)) {
    const shown = name === undefined ? [...maps] : [[name, mapIn(maps, name)]];
    context.terminal.stdout.write(stringify(Object.fromEntries(shown)));
    return;
  }
  if (isDeleted) {
    mapIn(maps, name);
    maps.delete(name);
  } else if (/^[a-z\d][\w.-]*$/i.test(name)) {
    maps.set(name, changed(maps.get(name), pairs, settings));
  } else {
    throw new CliError('A name of a map has letters, digits, ".", "_" and "-", such as bonus-sheet.', exitCodes.usage);
  }
  await context.profileWithFolder();
  await replaceFile(fileOf(profile), [stringify(Object.fromEntries(maps))]);
  context.info(`${isDeleted ? 'Deleted' : 'Stored'} the map ${name}.`);
}

/** A map with its name, for errors. */
export type NamedMap = PaymentMap & { readonly name: string };

/** The map that `hr payments map` stored under a name. */
export async function storedMap(profile: Profile, name: string): Promise<NamedMap> {
  return { ...mapIn(await readMaps(profile), name), name };
}

function fileOf({ folder }: Profile): string {
  return join(folder, 'maps.toml');
}

async function readMaps(profile: Profile): Promise<Map<string, PaymentMap>> {
  const file = fileOf(profile);
  if (!existsSync(file)) return new Map();
  const { data, error } = z.record(z.string(), PaymentMap).safeParse(await readToml(file));
  if (data) return new Map(Object.entries(data));
  const { path, message } = error.issues[0] ?? { path: [], message: '' };
  throw new CliError(`${file}: ${path.join('.') || 'the file'}: ${message}`);
}

function mapIn(maps: ReadonlyMap<string, PaymentMap>, name: string): PaymentMap {
  const found = maps.get(name);
  if (found) return found;
  throw new CliError(`There is no map ${name}. To see the maps, run: hr payments map`, exitCodes.usage);
}

/** A map with what pairs such as `Betrag=amount` and `billingPeriod=2026-12` say instead of what it said of their fields. */
function changed(before: PaymentMap | undefined, pairs: readonly string[], settings: Partial<PaymentMap>): PaymentMap {
  const given: Record<'columns' | 'values', Texts> = { columns: {}, values: {} };
  for (const pair of pairs) {
    const [, left = '', right = ''] = /^(.+)=(.+)$/s.exec(pair) ?? [];
    const [part, field, text] = isField(right)
      ? (['columns', right, left.trim()] as const)
      : (['values', left, right] as const);
    if (!isField(field) || given.columns[field] !== undefined || given.values[field] !== undefined) {
      const example = 'write a column and its field, such as "Betrag=amount", or a field and its value';
      const fields = `Use each field once. The fields are ${paymentFields.join(', ')}.`;
      throw new CliError(`${pair}: ${example}. ${fields}`, exitCodes.usage);
    }
    given[part][field] = text;
  }
  const kept = (texts: Texts = {}): Texts =>
    Object.fromEntries(Object.entries(texts).filter(([field]) => !(field in given.columns || field in given.values)));
  const columns = { ...kept(before?.columns), ...given.columns };
  return { ...before, ...settings, columns, values: { ...kept(before?.values), ...given.values } };
}
