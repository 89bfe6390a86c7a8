import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Label } from '@hr/text/labels';
import { readLabels } from '@hr/text/labels-file';
import { CliError } from './cli-error.ts';
import type { Context } from './context.ts';
import { columnsNamed, kindOf } from './output/columns-of.ts';
import { replaceFile } from './output/replace-file.ts';
import { decoded, inputName, readTextInput, unusable } from './read-input.ts';

const MAX_LINES_SHOWN = 20;

const labelKind = kindOf<Label>('labels', columnsNamed('string', 'kind', 'key', 'en', 'de', 'color'));

/** `hr labels import`: replaces the labels of the profile with those of a file. */
export async function importLabels(context: Context, file: string): Promise<void> {
  const content = await readTextInput(context.terminal, file);
  const { length } = labelsOf(content, inputName(file));
  const { folder } = await context.profileWithFolder();
  await replaceFile(fileIn(folder), [content]);
  context.info(`Stored ${length.toLocaleString('en')} label${length === 1 ? '' : 's'} in ${fileIn(folder)}.`);
}

/** `hr labels list`: shows the labels of the profile. */
export async function listLabels(context: Context): Promise<void> {
  await context.write(labelKind, await storedLabels((await context.profile()).folder));
}

/**
 * The labels in the folder of a profile.
 *
 * @throws {CliError} If there are none, or if the file is wrong.
 */
export async function storedLabels(folder: string): Promise<Label[]> {
  const file = fileIn(folder);
  if (existsSync(file)) return labelsOf(decoded(await readFile(file), file), file);
  throw new CliError('There are no labels. Import a file: hr labels import labels.csv');
}

function fileIn(folder: string): string {
  return join(folder, 'labels.csv');
}

function labelsOf(content: string, name: string): Label[] {
  const { labels, faults } = readLabels(content);
  if (faults.length === 0) return labels;
  const lines = faults.slice(0, MAX_LINES_SHOWN).map(({ line, detail }) => `line ${line}: ${detail}`);
  if (faults.length > lines.length) lines.push(`and ${faults.length - lines.length} more`);
  throw unusable(name, ['it is no file of labels:', ...lines].join('\n  '));
}
