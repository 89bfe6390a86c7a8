import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { getSystemErrorMessage } from 'node:util';
import { CliError, exitCodes } from './cli-error.ts';
import type { Terminal } from './terminal.ts';

/**
 * The content of a file that a flag names; `-` is standard input.
 *
 * @throws {CliError} If the file cannot be read.
 */
export async function readInput({ stdin }: Pick<Terminal, 'stdin'>, file: string): Promise<Buffer> {
  if (file === '-') return await buffer(stdin);
  try {
    return await readFile(file);
  } catch (error) {
    const reason = getSystemErrorMessage((error as { errno: number }).errno);
    throw new CliError(`Cannot read ${file}: ${reason}.`, exitCodes.usage);
  }
}

/** Like {@link readInput}, for text in UTF-8. Another encoding would be stored with wrong letters. */
export async function readTextInput(terminal: Pick<Terminal, 'stdin'>, file: string): Promise<string> {
  return decoded(await readInput(terminal, file), inputName(file));
}

/** What errors call an input. */
export function inputName(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/**
 * The text of a file without a byte order mark.
 *
 * @param encoding - Of a file that is not UTF-8.
 * @throws {CliError} If it is not UTF-8, and no encoding is given.
 */
export function decoded(bytes: Uint8Array, name: string, encoding?: string): string {
  const label = isUtf8(bytes) ? 'utf-8' : encoding;
  if (label !== undefined) return new TextDecoder(label).decode(bytes);
  throw notUtf8(name);
}

export function notUtf8(name: string): CliError {
  return unusable(name, 'it is not UTF-8. Save it as UTF-8, in a spreadsheet as "CSV UTF-8".');
}

/** The error for a file that cannot be read as a whole. */
export function unusable(name: string, reason: string): CliError {
  return new CliError(`${name}: ${reason}`, exitCodes.usage);
}
