/** Rows as lines of aligned columns. Control characters, which could steer a terminal, are left out. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map((cell) => cell.replaceAll(/\p{Cc}/gu, '')));
  const widths = clean.reduce<number[]>((all, row) => row.map((cell, at) => Math.max(all[at] ?? 0, cell.length)), []);
  const lines = clean.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return lines.map((line) => `${line}\n`).join('');
}
