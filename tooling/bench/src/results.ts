import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { isMet, type Row } from './figures.ts';
import type { Part } from './part.ts';

const file = new URL('../RESULTS.md', import.meta.url);

/** What the figures depend on. */
export interface Circumstances {
  readonly persons: number;
  readonly postgresVersion: string;
}

/** A row for the terminal. */
export function rowText(row: Row): string {
  const { measure, against, figure, unit, goal } = row;
  const what = against === undefined ? measure : `${measure} / ${against}`;
  return `${what}: ${figure.value} ${unit} (${figure.low} to ${figure.high}), goal ${goal} ${verdict(row)}`;
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
  const lines = rows.map((row) => {
    const { measure, against = '', figure, unit, goal } = row;
    const { value, low, high } = figure;
    return [measure, against, `${value} ${unit}`, `${low} to ${high}`, goal, verdict(row)].join(' | ');
  });
  return `## ${name}

${date}, ${persons.toLocaleString('en')} persons, ${machine}, Node.js ${process.versions.node}, PostgreSQL ${postgresVersion}

| measure | against | result | range | goal | outcome |
| --- | --- | --- | --- | --- | --- |
${lines.map((line) => `| ${line} |\n`).join('')}`;
}

function verdict(row: Row): string {
  return isMet(row) ? 'met' : `**missed**: ${row.missedBecause ?? 'nobody has said why'}`;
}
