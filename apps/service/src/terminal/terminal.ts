import type { Readable, Writable } from 'node:stream';

/** Where a command runs: the settings that it reads, its streams and its exit code. `process` is one. */
export interface Terminal extends Pick<NodeJS.Process, 'env' | 'exitCode'> {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/** Rows as lines of aligned columns. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map(printable));
  const widths = clean.reduce<number[]>((all, row) => row.map((cell, at) => Math.max(all[at] ?? 0, cell.length)), []);
  const padded = (cell: string, at: number): string => cell.padEnd(widths[at] ?? 0);
  return clean.map((row) => `${row.map(padded).join('  ').trimEnd()}\n`).join('');
}

/** A moment in UTC as a table shows it, such as `2026-01-31 08:15:00`. */
export function printedMoment(moment = ''): string {
  return moment.slice(0, 19).replace('T', ' ');
}

/** Text without characters that control a terminal or change its direction or lines. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '');
}
