import { isDeepStrictEqual } from 'node:util';
import type { Queries } from '../database/database.ts';
import type { Subject } from '../database/json-answer.ts';
import {
  auditedFields,
  deleteViews,
  dropOverruledPatches,
  lockPersons,
  renderPersons,
} from '../persons/person-view.ts';
import { dateTimeAccounts } from '../time/time-bookings.ts';
import { applyErasure } from './apply-erasure.ts';
import type { FeedRecord } from './feed-record.ts';
import { recordKinds, type RecordKind, type RecordKindName } from './record-kinds.ts';
import { writeRecords } from './write-records.ts';

/** A deletion that found nothing counts as unchanged; a tombstone makes a record `erased`. */
const noOutcomes = { created: 0, changed: 0, unchanged: 0, deleted: 0, erased: 0 };

/** What became of a feed's records, by kind. */
export type Tally = Record<RecordKindName, typeof noOutcomes>;

/** Whom a batch has changed, and how many records about them. */
type Change = Subject & { readonly elements: number };

/**
 * Applies records as if one came after the other, and renders the persons they touch.
 *
 * @param change the reserved change set of the transaction
 * @param tally counts what became of them
 * @returns whom it has changed, and what, as a change set says it
 */
export async function applyBatch(
  { transaction, change }: { readonly transaction: Queries; readonly change: string },
  received: readonly FeedRecord[],
  tally: Tally,
): Promise<{ readonly changes: readonly Change[]; readonly touched: ReadonlySet<string> }> {
  const records = await applyErasure(transaction, received);
  for (const { kind } of received) tally[kind].erased++;
  for (const { kind } of records) {
    tally[kind].erased--;
    tally[kind].unchanged++;
  }
  const touched = new Set<string>();
  const rendered = new Set<string>();
  const remapped = new Set<string>();
  const changes = new Map<string, Change>();
  // oxlint-disable no-await-in-loop -- a transaction runs one statement at a time
  for (const group of inRounds(records)) {
    const [{ kind }] = group;
    const { subjects, ...counts } = await writeRecords(transaction, group, change);
    for (const [personId, payrollContractId, count] of subjects) {
      const key = `${personId}\0${payrollContractId}`;
      const elements = count + (changes.get(key)?.elements ?? 0);
      changes.set(key, {
        personId: personId ?? undefined,
        payrollContractId: payrollContractId ?? undefined,
        elements,
      });
    }
    const { updates, table, touches }: RecordKind = recordKinds[kind];
    if (touches && subjects.length > 0) touched.add(touches);
    const personIds = subjects.flatMap(([personId]) => personId ?? []);
    if (updates === 'time account') await dateTimeAccounts(transaction, personIds, change);
    else if (updates === 'view' && personIds.length > 0) {
      await lockPersons(transaction, personIds);
      if (table === 'source_document') await dropOverruledPatches(transaction, personIds);
      for (const personId of personIds) rendered.add(personId);
      if (kind === 'mapping') for (const personId of personIds) remapped.add(personId);
    }
    for (const outcome of ['created', 'changed', 'deleted'] as const) {
      tally[kind][outcome] += counts[outcome];
      tally[kind].unchanged -= counts[outcome];
    }
  }
  // oxlint-enable no-await-in-loop
  if (rendered.size > 0) {
    const personIds = [...rendered];
    if (await deleteViews(transaction, personIds, change)) touched.add('id');
    const persons = await renderPersons(transaction, { personIds, remapped: [...remapped], change });
    for (const { personId, fields } of persons) {
      for (const field of fields) touched.add(field);
      const changed = changes.get(`${personId}\0null`);
      if (changed) changes.set(`${personId}\0null`, { ...changed, fields: auditedFields(fields) });
    }
    if (remapped.size > 0) for (const field of ['payrollContractIds', 'employments']) touched.add(field);
  }
  return { changes: [...changes.values()], touched };
}

type Group = [FeedRecord, ...FeedRecord[]];

/**
 * Groups of records that can be written at once: of one kind, and each of another key. Records of the same key come in
 * groups that keep their order. Among different keys the order is free: mappings come first, as they tell whose the
 * records of a contract are. A record equal to the one before with its key is left out, as it would change nothing.
 */
function inRounds(records: readonly FeedRecord[]): Group[] {
  const latest = new Map<string, { readonly record: FeedRecord; readonly round: number }>();
  const rounds: Map<string, Group>[] = [];
  for (const record of records) {
    const { kind, deletes, key, values } = record;
    // No column has NUL.
    let id: string = kind;
    for (const column in key) id += `\0${key[column]}`;
    const before = latest.get(id);
    if (before?.record.deletes === deletes && isDeepStrictEqual(before.record.values, values)) continue;
    const round = before ? before.round + 1 : 0;
    latest.set(id, { record, round });
    const groups = (rounds[round] ??= new Map());
    const name = deletes ? `delete ${kind}` : kind;
    const group = groups.get(name);
    if (group) group.push(record);
    else groups.set(name, [record]);
  }
  const others = ([{ kind }]: Group): number => Number(kind !== 'mapping');
  return rounds.flatMap((groups) => [...groups.values()].toSorted((one, other) => others(one) - others(other)));
}

export function emptyTally(): Tally {
  return Object.fromEntries(Object.keys(recordKinds).map((kind) => [kind, { ...noOutcomes }])) as Tally;
}
