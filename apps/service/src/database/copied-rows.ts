import { finished } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { CopiedRows } from './database.ts';
import type { Lease } from './postgres-servers.ts';

const ANSWER_TIMEOUT_MS = 10_000;

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Where the rows go to, for a COPY statement. */
export function copyTarget({ table, columns }: CopiedRows): string {
  return `copy ${table} (${columns.join(', ')})`;
}

/** The rows in COPY's text format. */
export function copyText({ rows }: CopiedRows): string {
  return rows.map((row) => `${row.map(written).join('\t')}\n`).join('');
}

function written(value: string | undefined): string {
  if (value === undefined) return String.raw`\N`;
  return value.replaceAll(/[\\\t\n\r]/g, (character) => escapes[character] ?? '');
}

/** Adds rows, as {@link copyTarget} and {@link copyText} give them, and releases the connection. */
export async function copyRows({ client, release }: Lease, target: string, text: string): Promise<void> {
  let broken = true;
  try {
    const copying = client.query(copyFrom(`${target} from stdin`));
    // After the timeout the connection closes, and nothing else handles the error of that.
    copying.on('error', () => {}).end(text);
    await finished(copying, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    broken = false;
  } finally {
    // One that may be in the middle of a COPY is closed.
    release(broken);
  }
}
