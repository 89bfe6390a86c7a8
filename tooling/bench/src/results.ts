import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import type { Row } from './figures.ts';
import type { Part } from './part.ts';

const file = new URL('../RESULTS.md', import.meta.url);

/** What the figures depend on. */
export interface Circumstances {
  readonly persons: number;
  readonly postgresVersion: string;
}

/** A row for the terminal. */
export function rowText({ measure, against, figure, unit, goal }: Row): string {
  const { value, low, high } = figure;
  return `${measure}${against === undefined ? '' : ` / ${against}`}: ${short(value)} ${unit} (${short(low)} to ${short(high)}), goal ${goal}`;
}

/** Replaces the section of a part in RESULTS.md. */
export async function writeResults(part: Part, rows: readonly Row[], circumstances: Circumstances): Promise<void> {
  const before = await readFile(file, 'utf8').catch(() => '# Results\n\n`pnpm bench` writes this page.\n');
  const [title = '', ...sections] = before.split(/^(?=## )/m);
  const others = sections.filter((section) => !section.startsWith(`## ${part.name}\n`));
  const all = [...others.map((section) => `${section.trimEnd()}\n`), sectionOf(part, rows, circumstances)].toSorted();
  await writeFile(file, [`${title.trimEnd()}\n`, ...all].join('\n'));
}

function sectionOf({ name }: Part, rows: readonly Row[], { persons, postgresVersion }: Circumstances): string {
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB`;
  const lines = rows.map(({ measure, against = '', figure: { value, low, high }, unit, goal }) =>
    [measure, against, `${short(value)} ${unit}`, `${short(low)} to ${short(high)}`, goal].join(' | '),
  );
  return `## ${name}

${date}, ${persons.toLocaleString('en')} persons, ${machine}, Node.js ${process.versions.node}, PostgreSQL ${postgresVersion}

| measure | against | result | range | goal |
| --- | --- | --- | --- | --- |
${lines.map((line) => `| ${line} |\n`).join('')}`;
}

function short(value: number): string {
  return value < 100 ? String(Number(value.toPrecision(3))) : value.toFixed(0);
}
