import { HttpProblem } from '@hr/schemas/provider';
import type { z } from 'zod';
import { uuidV7 } from '../audit/uuid-v7.ts';
import type { Database, Queries } from '../database/database.ts';
import { oneRecord, type JsonAnswer } from '../database/json-answer.ts';
import type { List } from '../database/list.ts';
import { raw, sql } from '../database/sql.ts';
import type { Origin } from '../http/access-audit.ts';
import { emptyTally, type Tally } from './apply-batch.ts';
import type { BadLine } from './feed-batches.ts';
import type * as models from './feed-operations.ts';
import { MAX_FAULTS } from './feed-source.ts';

export interface ImportOrigin extends Pick<Origin, 'actor' | 'requestId'> {
  /** The names of the sources. */
  readonly sources: readonly string[];
}

/** An import as operators see it. */
export type ShownRun = z.output<typeof models.ImportRun>;

/** How far an import has come. */
export interface ImportProgress extends Readonly<Pick<ShownRun, 'lines' | 'badLines' | 'leftOut' | 'moreFaults'>> {
  readonly outcomes: Tally;
}

/** An import that can be listed, from its start on. */
export interface ImportRun {
  readonly id: string;
  /** What is stored for good. */
  progress: ImportProgress;
  /** Aborted, with an error that has a `code`, when it has too many faults or was cancelled, which it notices in seconds. */
  readonly signal: AbortSignal;
  /** Writes the progress that a transaction makes. */
  save(queries: Queries, progress: ImportProgress): Promise<void>;
  /** @param reason in a sentence, without values */
  end(state: 'done' | 'failed' | 'broken-off', reason?: string): Promise<void>;
}

const MAX_FAULTS_KEPT = 50;
const SIGN_OF_LIFE_MS = 5000;
/** An import that gives no sign of life for so long has lost its process. */
const MAX_SILENCE_SECONDS = 30;

/** Starts a run. It gives signs of life until it ends. */
export async function openImportRun(
  database: Database,
  { actor, requestId, sources }: ImportOrigin,
): Promise<ImportRun> {
  const id = uuidV7();
  const progress = noProgress();
  await database.query(
    'insert into import_run (id, sources, actor, request_id, outcomes) values ($1, $2::text[], $3, $4, $5)',
    [id, sources, actor, requestId, JSON.stringify(progress.outcomes)],
  );
  const ended = new AbortController();
  const endFor = (code: string): void => ended.abort(Object.assign(new Error(code), { code }));
  async function update(queries: Queries, columns: string, values: readonly unknown[]): Promise<void> {
    const [row] = await queries.query<{ cancelled_at: unknown }>(
      `update import_run set ${columns} alive_at = clock_timestamp() where id = $1 returning cancelled_at`,
      [id, ...values],
    );
    if (row?.cancelled_at) endFor('IMPORT_CANCELLED');
  }
  const timer = setInterval(() => void update(database, '', []).catch(() => {}), SIGN_OF_LIFE_MS).unref();
  return {
    id,
    progress,
    signal: ended.signal,
    async save(queries, { lines, badLines, outcomes, leftOut, moreFaults }) {
      const columns = 'lines = $2, bad_lines = $3, outcomes = $4, left_out = $5, more_faults = $6,';
      const texts = [JSON.stringify(outcomes), JSON.stringify(leftOut)];
      await update(queries, columns, [lines, badLines, ...texts, moreFaults]);
      if (leftOut.length + moreFaults > MAX_FAULTS) endFor('TOO_MANY_FAULTS');
    },
    async end(state, reason) {
      clearInterval(timer);
      await database.query(
        'update import_run set state = $2, reason = $3, ended_at = clock_timestamp() where id = $1',
        [id, state, reason ?? null],
      );
    },
  };
}

export function noProgress(): ImportProgress {
  return { lines: 0, badLines: 0, outcomes: emptyTally(), leftOut: [], moreFaults: 0 };
}

/** The progress after more lines; what became of their records is yet to be counted. */
export function progressAfter(
  { lines, badLines, outcomes, leftOut, moreFaults }: ImportProgress,
  batch: { readonly lines: number; readonly badLines: readonly BadLine[] },
): ImportProgress {
  const faults = batch.badLines.flatMap(({ source, line, issues }) =>
    issues.map(({ pointer, code, detail }) => ({ source, line, pointer, code, detail })),
  );
  const room = MAX_FAULTS_KEPT - leftOut.length;
  return {
    lines: lines + batch.lines,
    badLines: badLines + batch.badLines.length,
    outcomes: structuredClone(outcomes),
    leftOut: [...leftOut, ...faults.slice(0, room)],
    moreFaults: moreFaults + Math.max(0, faults.length - room),
  };
}

const utc = (moment: string): string => `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const lost = `(state = 'running' and alive_at < now() - interval '${MAX_SILENCE_SECONDS} s')`;

// The faults are not read here: that would fail on what JSON may say and no text of the database may hold.
const importRunJson = `rtrim(json_strip_nulls(json_build_object('id', id, 'sources', sources, 'actor', actor, 'requestId', request_id,
  'startedAt', ${utc('started_at')}, 'endedAt', ${utc(`case when ${lost} then alive_at else ended_at end`)},
  'cancelledAt', ${utc('cancelled_at')}, 'state', case when ${lost} then 'broken-off' else state end,
  'reason', case when ${lost} then 'The process that ran it has ended.' else reason end,
  'lines', lines, 'badLines', bad_lines, 'outcomes', outcomes::json, 'moreFaults', more_faults))::text, '}') || ',"leftOut":' || left_out || '}'`;

/** All imports, oldest first. */
export const importRuns: List = [sql`select id as key, ${raw(importRunJson)} as element from import_run`];

/** An import; `undefined` if there is none with this id. */
export async function findImportRun(queries: Queries, id: string): Promise<JsonAnswer | undefined> {
  const [row] = await queries.query<{ run: string }>(
    `select ${importRunJson} as run from import_run where id::text = $1`,
    [id],
  );
  return row && oneRecord(row.run, { objectId: id });
}

/** Lets a running import end behind its current batch, whichever process runs it. */
export async function cancelImport(queries: Queries, id: string): Promise<JsonAnswer | undefined> {
  const [row] = await queries.query<{ run: string }>(
    `update import_run set cancelled_at = coalesce(cancelled_at, clock_timestamp())
      where id::text = $1 and state = 'running' and not ${lost} returning ${importRunJson} as run`,
    [id],
  );
  if (row) return oneRecord(row.run, { objectId: id });
  if (await findImportRun(queries, id)) throw new HttpProblem('conflict', 'The import has ended already.');
  return undefined;
}
