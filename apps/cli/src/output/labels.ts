import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textOfCell } from '@hr/schemas/rules';
import { CliError } from '../cli-error.ts';
import { readCsv } from '../read-csv.ts';
import { decoded, unusable } from '../read-input.ts';
import type { Column } from './record-kind.ts';

/** Labels by kind and key, such as `component/BONUS`. */
export type Labels = ReadonlyMap<string, string>;

/** What has labels, by the names of the columns with its keys. */
const labelled = { key: /(?:^|\.)key$/, component: /(?:^|\.)compensationComponentId$/, group: /^groups(?:\.id)?$/ };

const HEADER = 'kind,key,label';

/** Columns with a further one beside each column of keys, such as `keyLabel` beside `key`. */
export function withLabels(columns: readonly Column[], labels: Labels): Column[] {
  return columns.flatMap((column) => {
    const { name, value } = column;
    const [kind] = Object.entries(labelled).find(([, pattern]) => pattern.test(name)) ?? [];
    if (kind === undefined) return [column];
    const labelOf = (row: object): string | undefined => {
      const found = value(row);
      const keys = Array.isArray(found) ? found.map((element: { id: string }) => element.id) : [found as string];
      return keys.flatMap((key) => labels.get(`${kind}/${key}`) ?? []).join(', ') || undefined;
    };
    return [column, { name: `${name}Label`, type: 'string', value: labelOf }];
  });
}

/**
 * Reads the labels in the folder of a profile: CSV with the columns `kind`, `key` and `label`.
 *
 * @throws {CliError} If there are none, or if the file is not such a table.
 */
export async function readLabels(folder: string): Promise<Labels> {
  const file = join(folder, 'labels.csv');
  if (!existsSync(file)) {
    throw new CliError(`There are no labels. Store them in ${file}, as CSV with the columns ${HEADER}.`);
  }
  const { header, records } = readCsv(decoded(await readFile(file), file), file);
  if (header.join() !== HEADER) throw unusable(file, `its columns must be ${HEADER}.`);
  return new Map(
    [...records].map(([line, cells]) => {
      const [kind = '', key, label = ''] = cells.map(textOfCell);
      if (Object.hasOwn(labelled, kind)) return [`${kind}/${key}`, label];
      throw unusable(file, `line ${line}: the kind must be ${Object.keys(labelled).join(', ')}.`);
    }),
  );
}
