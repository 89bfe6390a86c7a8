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

/** Like {@link readInput}, for text. Another encoding would be stored with wrong letters. */
export async function readTextInput(terminal: Pick<Terminal, 'stdin'>, file: string): Promise<string> {
  const bytes = await readInput(terminal, file);
  try {
    // It drops a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CliError(`${inputName(file)} is not UTF-8. Save it as UTF-8.`, exitCodes.usage);
  }
}

/** What errors call an input. */
export function inputName(file: string): string {
  return file === '-' ? 'standard input' : file;
}
