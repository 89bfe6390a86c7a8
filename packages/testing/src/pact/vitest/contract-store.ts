import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PROVIDER_NAME } from '../../contract/provider-name.ts';
import { parseContract } from './contract.ts';

/** The text of a contract's file; nothing where there is none. */
export function readContractFile(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Writes a contract's file whole, or not at all. */
export function writeContractFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const draft = join(dirname(file), `.${basename(file)}.${process.pid}`);
  writeFileSync(draft, text);
  renameSync(draft, file);
}

export function removeContractFile(file: string): void {
  rmSync(file);
}

/** The files of contracts in a folder. */
export function contractFilesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(`-${PROVIDER_NAME}.json`));
  return names.map((name) => join(folder, name)).filter((file) => parseContract(readFileSync(file, 'utf8')));
}
