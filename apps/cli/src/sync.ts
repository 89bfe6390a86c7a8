import { rm } from 'node:fs/promises';
import { isMirrorError, type Collection, type Mirror, type MirrorErrorCode, type SyncResult } from '@hr/client/mirror';
import { CliError, exitCodes } from './cli-error.ts';
import type { Context } from './context.ts';
import { columnsNamed, kindOf } from './output/columns-of.ts';
import { exitCodeOf, failureMessage } from './report-failure.ts';
import { LIST_TIMEOUT_MS, syncCollection } from './up-to-date-mirror.ts';

const DEFAULT_COLLECTIONS: readonly Collection[] = ['persons', 'bookings'];
const SHOWN_CHANGES = 20;
/** Why a file cannot be opened as a local copy. */
const unusable: ReadonlySet<MirrorErrorCode> = new Set(['wrong-file', 'other-source', 'newer-version']);

/** The state of a collection. `lastError` is the code of the error that ended the latest run. */
const statusKind = kindOf('collections', [
  ...columnsNamed('string', 'collection'),
  ...columnsNamed('integer', 'rows'),
  ...columnsNamed('string', 'syncedAt', 'fullSyncedAt', 'cursor', 'lastError'),
]);

interface SyncFlags extends Partial<Record<'full' | 'allowShrink' | 'dryRun' | 'status' | 'purge', true>> {
  readonly watch?: true | number;
}

/** `hr sync`: brings the local copy up to date, shows its state, or deletes it. */
export async function sync(context: Context, given: readonly Collection[], flags: SyncFlags): Promise<number | void> {
  if (flags.purge) {
    await context.confirm('Delete the local copy?');
    await purge(context);
    context.info('Deleted the local copy. Submitted payments are kept in the outbox.');
    return;
  }
  const mirror = await context.mirror();
  if (flags.status) {
    const runs = mirror.runs();
    const states = mirror.status().map((state) => ({
      ...state,
      lastError: runs.find(({ collection }) => collection === state.collection)?.error,
    }));
    await context.write(statusKind, states);
    return;
  }
  const collections = given.length > 0 ? given : DEFAULT_COLLECTIONS;
  if (!flags.watch || flags.full) {
    const code = await syncAll(context, mirror, collections, flags);
    if (!flags.watch || code !== 0) return code;
  }
  return await watch(context, mirror, collections, flags);
}

/** Follows collections until Ctrl-C. */
async function watch(
  context: Context,
  mirror: Mirror,
  collections: readonly Collection[],
  { watch: seconds, allowShrink }: SyncFlags,
): Promise<number> {
  const { signal, terminal } = context;
  const results = mirror.follow(await context.client(LIST_TIMEOUT_MS), {
    collections,
    signal,
    ...(typeof seconds === 'number' && { pollSeconds: seconds }),
    ...(allowShrink && { maxShrink: 1 }),
    onFailure: (error) => void terminal.stderr.write(`hr: ${failureMessage(error)}\n`),
  });
  // Who watches wants to see changes.
  for await (const result of results) {
    const { added, changed, deleted, erased } = result;
    if (added + changed + deleted + erased > 0) context.info(summary(result));
  }
  return exitCodes.interrupted;
}

/** Deletes the local copy. One that cannot be opened is deleted as a file. */
async function purge(context: Context): Promise<void> {
  try {
    (await context.mirror()).purge();
  } catch (error) {
    if (!isMirrorError(error) || !unusable.has(error.code)) throw error;
    const { mirrorFile } = await context.profile();
    for (const suffix of ['', '-wal', '-shm']) {
      // oxlint-disable-next-line no-await-in-loop -- the file that names the others goes first
      await rm(mirrorFile + suffix, { force: true });
    }
  }
}

/** Syncs collections one after the other. One that fails does not stop the others. */
async function syncAll(
  context: Context,
  mirror: Mirror,
  collections: readonly Collection[],
  { full, dryRun, allowShrink }: SyncFlags,
): Promise<number> {
  const codes: number[] = [];
  for (const collection of collections) {
    try {
      context.signal.throwIfAborted();
      const options = { full, dryRun, ...(allowShrink && { maxShrink: 1 }) };
      // oxlint-disable-next-line no-await-in-loop -- absences are read for the persons that are already there
      printResult(context, await syncCollection(context, mirror, collection, options));
    } catch (error) {
      if (context.signal.aborted) {
        throw new CliError(
          `Interrupted. ${collection} are as before. To go on, run the same command again.`,
          exitCodes.interrupted,
        );
      }
      const isTooShort = isMirrorError(error) && error.code === 'list-too-short';
      const remedy = isTooShort ? ' If they were really deleted, pass --allow-shrink.' : '';
      context.terminal.stderr.write(`hr: ${collection}: ${failureMessage(error)}${remedy}\n`);
      codes.push(exitCodeOf(error));
    }
  }
  const [first = 0] = codes;
  return codes.length === 0 || codes.length === collections.length ? first : exitCodes.partial;
}

function printResult(context: Context, result: SyncResult): void {
  for (const change of result.changes.slice(0, SHOWN_CHANGES)) {
    if (change.kind === 'reset') continue;
    const { kind, id, fields } = change;
    context.info(`  ${kind} ${id}${fields.length > 0 ? `: ${fields.join(', ')}` : ''}`);
  }
  if (result.changes.length > SHOWN_CHANGES) context.info('  and more');
  context.info(summary(result));
}

function summary({ collection, dryRun, full, added, changed, deleted, erased, cursor }: SyncResult): string {
  const counts = Object.entries({ added, changed, deleted, erased })
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count.toLocaleString('en')} ${name}`);
  const what = counts.length > 0 ? counts.join(', ') : 'no changes';
  const how = full ? ', from the complete list' : '';
  const days = cursor === undefined ? '' : ` Next time: changes since ${cursor}.`;
  const next = dryRun ? ' Nothing was stored.' : days;
  return `${collection}: ${dryRun ? 'would be ' : ''}${what}${how}.${next}`;
}
