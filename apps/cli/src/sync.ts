import { setTimeout as delay } from 'node:timers/promises';
import type { Collection, SyncResult } from '@hr/client/mirror';
import { z } from 'zod';
import { CliError, exitCodes } from './cli-error.ts';
import type { Context } from './context.ts';
import { columnsOf } from './output/columns-of.ts';
import type { RecordKind } from './output/record-kind.ts';
import { exitCodeOf, failureMessage } from './report-failure.ts';
import { syncCollection } from './up-to-date-mirror.ts';

const COLLECTIONS: readonly Collection[] = ['persons', 'bookings', 'absences'];
const DEFAULT_COLLECTIONS: readonly Collection[] = ['persons', 'bookings'];
const DEFAULT_INTERVAL_SECONDS = 60;
const SHOWN_CHANGES = 20;

const State = z.object({
  collection: z.string(),
  rows: z.int(),
  syncedAt: z.string(),
  fullSyncedAt: z.string(),
  cursor: z.string(),
  /** Code of the error that ended the latest run. */
  lastError: z.string(),
});

const statusKind: RecordKind<object> = {
  name: 'collections',
  columns: columnsOf(State),
  table: Object.keys(State.shape),
};

interface SyncFlags {
  readonly full?: true;
  readonly allowShrink?: true;
  readonly dryRun?: true;
  readonly status?: true;
  readonly watch?: true | number;
  readonly purge?: true;
}

/** `hr sync`: brings the local copy up to date, shows its state, or deletes it. */
export async function sync(context: Context, given: readonly string[], flags: SyncFlags): Promise<number | void> {
  const unknown = given.find((name) => !COLLECTIONS.includes(name as Collection));
  if (unknown !== undefined) {
    throw new CliError(`${unknown}: unknown collection. Use ${COLLECTIONS.join(', ')}.`, exitCodes.usage);
  }
  const mirror = await context.mirror();
  if (flags.purge) {
    if (!(await context.confirm('Delete the local copy?'))) return;
    mirror.purge();
    context.info('Deleted the local copy. Submitted payments are kept in the outbox.');
    return;
  }
  if (flags.status) {
    const runs = mirror.runs();
    const states = mirror.status().map((state) => ({
      ...state,
      lastError: runs.find(({ collection }) => collection === state.collection)?.error,
    }));
    await context.write(statusKind, states);
    return;
  }
  const collections = given.length > 0 ? (given as readonly Collection[]) : DEFAULT_COLLECTIONS;
  const runOnce = async (): Promise<number> => {
    const codes: number[] = [];
    for (const collection of collections) {
      try {
        context.signal.throwIfAborted();
        let shown = 0;
        const result = await syncCollection(context, mirror, collection, {
          full: flags.full ?? false,
          dryRun: flags.dryRun ?? false,
          ...(flags.allowShrink && { maxShrink: 1 }),
          onChange({ kind, id, fields }) {
            if (!flags.dryRun || shown++ >= SHOWN_CHANGES) return;
            context.info(`  ${kind} ${id}${fields.length > 0 ? `: ${fields.join(', ')}` : ''}`);
          },
        });
        if (shown > SHOWN_CHANGES) context.info(`  and ${shown - SHOWN_CHANGES} more`);
        context.info(summary(result));
      } catch (error) {
        if (context.signal.aborted)
          throw new CliError(
            `Interrupted. The local copy is as it was before. Run it again: hr sync`,
            exitCodes.interrupted,
          );
        // The other collections do not depend on it, but absences are read person by person.
        context.terminal.stderr.write(`hr: ${collection}: ${failureMessage(error)}\n`);
        codes.push(exitCodeOf(error));
      }
    }
    const [first = 0] = codes;
    return codes.length === 0 || codes.length === collections.length ? first : exitCodes.partial;
  };
  if (!flags.watch) return await runOnce();
  const seconds = flags.watch === true ? DEFAULT_INTERVAL_SECONDS : flags.watch;
  while (!context.signal.aborted) {
    await runOnce();
    // Ctrl-C ends the wait, which is how it is meant to end.
    await delay(seconds * 1000, undefined, { signal: context.signal }).catch(() => undefined);
  }
}

function summary({ collection, dryRun, full, added, changed, deleted, erased, cursor }: SyncResult): string {
  const counts = Object.entries({ added, changed, deleted, erased })
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count.toLocaleString('en')} ${name}`);
  const what = counts.length > 0 ? counts.join(', ') : 'no changes';
  const how = full ? 'complete list' : 'changes';
  return `${collection}: ${dryRun ? 'would be ' : ''}${what} (${how}; next time since ${cursor})`;
}
