import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Pool } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { migrate } from 'service/src/database/migrate.ts';
import { openDatabase } from 'service/src/database/open-database.ts';
import type { Database } from 'service/src/database/database.ts';
import { demoRecords } from 'service/src/demo/load-demo.ts';
import { feedLines } from 'service/src/feed/feed-lines.ts';
import { feedSource } from 'service/src/feed/feed-source.ts';
import { importFeed } from 'service/src/feed/import-feed.ts';
import { alternate, milliseconds } from '../alternate.ts';
import { ratio, type Row } from '../figures.ts';
import { templates } from '../load-company.ts';
import { openPool } from '../open-bench.ts';
import type { Part } from '../part.ts';

interface Feed {
  readonly kind: 'person' | 'salary';
  /** The field whose value each copy of a template changes. */
  readonly id: string;
  readonly lines: number;
  /** What the import fills. */
  readonly tables: readonly string[];
}

function* linesOf({ kind, id, lines }: Feed): Generator<string> {
  const records = templates.flatMap(demoRecords) as Record<string, unknown>[];
  const ofKind = records.filter((record) => record['kind'] === kind);
  for (let line = 0; line < lines; line++) {
    const record = ofKind[line % ofKind.length] ?? {};
    const copy = String(Math.floor(line / ofKind.length)).padStart(6, '0');
    yield `${JSON.stringify({ ...record, [id]: `${copy}-${String(record[id])}` })}\n`;
  }
}

/** Compares the import of a feed with JSON.parse of its lines and COPY of the rows that it makes. */
async function compare(database: Database, pool: Pool, feed: Feed, turns: number, folder: string): Promise<Row> {
  const file = join(folder, `${feed.kind}.ndjson`);
  await pipeline(Readable.from(linesOf(feed)), createWriteStream(file));
  const rowsOf = (table: string): string => join(folder, `${table}.copy`);

  async function importAll(): Promise<number> {
    await pool.query(`truncate ${feed.tables.join(', ')}`);
    return milliseconds(async () => importFeed(database, [await feedSource(file)]));
  }
  async function parseAndCopy(): Promise<number> {
    await pool.query(feed.tables.map((table) => `truncate copied.${table};`).join(''));
    return milliseconds(async () => {
      for await (const lines of feedLines(createReadStream(file))) {
        for (const line of lines) if ('text' in line) JSON.parse(line.text);
      }
      // oxlint-disable-next-line no-await-in-loop -- one table after the other, as the import does
      for (const table of feed.tables) await copyIn(pool, table, rowsOf(table));
    });
  }

  await importAll();
  await pool.query('create schema if not exists copied');
  // oxlint-disable no-await-in-loop -- one table after the other
  for (const table of feed.tables) {
    await pool.query(`create table copied.${table} (like public.${table} including all)`);
    await copyOut(pool, table, rowsOf(table));
  }
  // oxlint-enable no-await-in-loop
  const { service, other } = await alternate({ service: importAll, other: parseAndCopy }, turns);
  const measure = `time to import ${feed.lines.toLocaleString('en')} records of kind ${feed.kind}`;
  const missedBecause =
    'An import checks each record by its model, compares it with the stored one, audits and dates what changed, and renders persons. The statements of an import of persons alone take three times as long as both of these.';
  const against = 'JSON.parse of the lines and COPY of the rows';
  return ratio({ measure, against, goal: '≤ 2.5', missedBecause }, service, other);
}

async function copyOut(pool: Pool, table: string, file: string): Promise<void> {
  const client = await pool.connect();
  await pipeline(client.query(copyTo(`copy ${table} to stdout`)), createWriteStream(file));
  client.release();
}

async function copyIn(pool: Pool, table: string, file: string): Promise<void> {
  const client = await pool.connect();
  await pipeline(createReadStream(file), client.query(copyFrom(`copy copied.${table} from stdin`)));
  client.release();
}

/** Imports into an empty database. */
export const imports: Part = {
  name: 'import',
  async run({ url, pool: main, persons, turns }) {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'hr-bench-'));
    await main.query('create database import');
    const importUrl = url.replace(/[^/]+$/, 'import') as `postgres://${string}`;
    const database = await openDatabase(importUrl);
    const pool = openPool(importUrl);
    await migrate(database);
    const feeds: Feed[] = [
      { kind: 'salary', id: 'payrollContractId', lines: Math.round(persons * 5.5), tables: ['salary_entry'] },
      { kind: 'person', id: 'id', lines: Math.round(persons / 2), tables: ['source_document', 'person_view'] },
    ];
    const rows = await Array.fromAsync(feeds, (feed) => compare(database, pool, feed, Math.min(turns, 2), folder.path));
    await Promise.all([pool.end(), database.close()]);
    return rows;
  },
};
