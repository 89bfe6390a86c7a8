import type { Queries } from '../database/database.ts';
import { dropOverruledPatches } from '../database/overruled-patches.ts';
import { deleteViews, lockPersons, renderPersons } from '../database/person-view.ts';
import { dateTimeAccounts } from '../database/time-bookings.ts';
import type { FeedRecord } from './feed-record.ts';
import { withoutErased } from './without-erased.ts';
import { recordKinds } from './record-kinds.ts';
import type { RecordKindName } from './record-kinds.ts';
import { writeRecords } from './write-records.ts';

/** What became of the records of a kind. A deletion that found nothing counts as unchanged; what a tombstone keeps out is erased. */
interface Outcomes {
  created: number;
  changed: number;
  unchanged: number;
  deleted: number;
  erased: number;
}

/** What became of a feed's records, by kind. */
export type Tally = Record<RecordKindName, Outcomes>;

/** A transaction of an import. */
export interface Writing {
  readonly transaction: Queries;
  /** Its reserved change set. */
  readonly change: string;
}

/**
 * Applies records as if one came after the other, and renders the persons they touch.
 *
 * @param tally takes up what became of them
 */
export async function applyBatch(
  { transaction, change }: Writing,
  brought: readonly FeedRecord[],
  tally: Tally,
): Promise<void> {
  const records = await withoutErased(transaction, brought);
  for (const { kind } of brought) tally[kind].erased++;
  for (const { kind } of records) tally[kind].erased--;
  const touched = new Set<string>();
  const remapped = new Set<string>();
  await lockPersons(
    transaction,
    records.filter(ofPerson).map(({ key }) => key['person_id'] as string),
  );
  for (const group of inRounds(records)) {
    const [first] = group;
    // oxlint-disable-next-line no-await-in-loop -- a transaction runs one statement at a time
    const written = await writeRecords(transaction, group, change);
    // oxlint-disable-next-line no-await-in-loop
    if (ofPerson(first) && written.personIds.length > 0) await dropOverruledPatches(transaction, written.personIds);
    // oxlint-disable-next-line no-await-in-loop
    if (first.kind === 'timeDay') await dateTimeAccounts(transaction, written.personIds, change);
    else for (const personId of written.personIds) touched.add(personId);
    if (first.kind === 'mapping') for (const personId of written.personIds) remapped.add(personId);
    const outcomes = tally[first.kind];
    outcomes.created += written.created;
    outcomes.changed += written.changed;
    outcomes.deleted += written.deleted;
    outcomes.unchanged += group.length - written.created - written.changed - written.deleted;
  }
  if (touched.size === 0) return;
  const personIds = [...touched];
  await lockPersons(transaction, personIds);
  await deleteViews(transaction, personIds, change);
  await renderPersons(transaction, { personIds, remapped: [...remapped], change });
}

function ofPerson({ kind }: FeedRecord): boolean {
  return recordKinds[kind].table === 'source_document';
}

/**
 * Groups of records that can be written at once: of one kind, and each of another key. Records of the same key come in
 * groups that keep their order; among different keys the order is free.
 */
function inRounds(records: readonly FeedRecord[]): [FeedRecord, ...FeedRecord[]][] {
  const times = new Map<string, number>();
  const rounds = Map.groupBy(records, ({ kind, key }) => {
    const id = JSON.stringify([kind, ...Object.values(key)]);
    const round = times.get(id) ?? 0;
    times.set(id, round + 1);
    return round;
  });
  return [...rounds.values()].flatMap((round) => [
    ...(
      Map.groupBy(round, ({ kind, deletes }) => `${kind} ${deletes}`) as Map<string, [FeedRecord, ...FeedRecord[]]>
    ).values(),
  ]);
}

/** A tally of nothing yet. */
export function emptyTally(): Tally {
  const kinds = Object.keys(recordKinds) as RecordKindName[];
  return Object.fromEntries(
    kinds.map((kind) => [kind, { created: 0, changed: 0, unchanged: 0, deleted: 0, erased: 0 }]),
  ) as Tally;
}
