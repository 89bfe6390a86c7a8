import { appendFileSync, readFileSync } from 'node:fs';
import type { Mirror } from '../src/mirror/index.ts';

/** Appends what a consumer of the log receives to a file: each row with its value. */
export async function appendChanges(mirror: Mirror, file: string): Promise<void> {
  appendFileSync(file, '');
  for await (const change of mirror.changes({ consumer: 'killed' })) {
    const rows = [...valuesOf(mirror)].filter(([row]) =>
      change.kind === 'reset' ? row.startsWith(change.collection) : row === `${change.collection} ${change.id}`,
    );
    appendFileSync(file, rows.map((row) => `${row.join(',')}\n`).join(''));
  }
}

/** The last value of each row in the file. */
export function lastValues(file: string): Map<string, string> {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return new Map(lines.map((line) => line.split(',') as [string, string]));
}

/** The rows of a mirror, with their values. */
export function valuesOf(mirror: Mirror): Map<string, string> {
  const persons = Array.from(
    mirror.persons(),
    ({ id, employeeNumber }) => [`persons ${id}`, `${employeeNumber}`] as const,
  );
  const days = Array.from(
    mirror.bookings(),
    ({ personId, days: [day] }) => [`bookings ${personId}/${day?.date}`, `${day?.targetTime}`] as const,
  );
  return new Map([...persons, ...days]);
}
