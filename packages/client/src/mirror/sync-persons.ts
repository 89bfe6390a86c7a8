import type { DatabaseSync } from 'node:sqlite';
import { applyDelta } from '@hr/schemas/rules';
import type { Person, PersonChange } from '../hr-client.ts';
import { differingFields, withoutEmptyFields } from './changes.ts';
import { searchColumns } from './person-search.ts';
import { laterProvenance, parseProvenance, type Provenance } from './provenance.ts';
import { rowIds } from './sweep.ts';
import type { Sync } from './sync.ts';

/** Reads persons into the mirror. */
export async function syncPersons(sync: Sync): Promise<string | undefined> {
  const rows = personRows(sync.database);
  // A deletion counts whatever else the list has of the person, so the order of its elements does not matter.
  const gone = new Set<string>();
  let done = 0;
  const list = sync.hr.persons.list(sync.from, sync.call);
  for await (const element of list) {
    const change = element as PersonChange;
    if (change.deleted === true || change.erased === true) gone.add(change.id);
    if (gone.has(change.id)) deletePerson(sync, rows, change);
    else storePerson(sync, rows, change);
    sync.progress({ done: ++done });
  }
  return list.cursor;
}

function deletePerson({ changes }: Sync, rows: PersonRows, { id, erased }: PersonChange): void {
  // Also of a person whom this mirror does not have: it may have synced nothing else.
  changes.recordTaken('bookings', rows.deleteBookings.all(id));
  changes.recordTaken('absences', rows.deleteAbsences.all(id));
  rows.deleteRead.run(id);
  rows.deleteDocument.run(id);
  if (rows.deletePerson.run(id).changes > 0) changes.record(erased === true ? 'erased' : 'deleted', id, id);
  else changes.recordUnchanged();
}

function storePerson({ changes, sweep, startedAt }: Sync, rows: PersonRows, element: PersonChange): void {
  const { id } = element;
  const row = rows.find.get(id) as PersonRow | undefined;
  const stored = row && (JSON.parse(row.document) as Person);
  const person = sweep ? (withoutEmptyFields(element) as Person) : merged(stored ?? { id }, element);
  // A full sync sees every field of every person, so it stores no provenance by person.
  const seen = sweep ? null : JSON.stringify(provenanceAfter(row, person, element, startedAt()));
  if (!row) {
    const key = Number(rows.insertDocument.run(JSON.stringify(person)).lastInsertRowid);
    rows.insertPerson.run(...searchColumns(person), seen, id, key);
    sweep?.mark(key);
    changes.record('added', id, id, () => Object.keys(person));
    return;
  }

  sweep?.mark(row.key);
  const fields = differingFields(stored as Person, person);
  if (fields.length > 0) {
    rows.updateDocument.run(JSON.stringify(person), row.key);
    rows.updatePerson.run(...searchColumns(person), seen, id);
    changes.record('changed', id, id, () => fields, { ...stored });
    return;
  }
  if (seen !== null) rows.updateSeen.run(seen, id);
  changes.recordUnchanged();
}

/** Applies a change to a person, with the result that the complete list would have. */
function merged(person: Person, change: PersonChange): Person {
  const result = applyDelta(person, change) as Person;
  const isFirstMiddleName = change.middleName === '' && !Object.hasOwn(result, 'middleName');
  return isFirstMiddleName ? { ...result, middleName: '' } : result;
}

function provenanceAfter(row: PersonRow | undefined, person: Person, change: PersonChange, at: number): Provenance {
  const received = new Set(Object.keys(change));
  received.delete('id');
  // It is always empty in responses, so it says nothing of another one.
  if (change.middleName === '' && person.middleName !== '') received.delete('middleName');
  return laterProvenance(parseProvenance(row?.seen ?? null), person, received, at);
}

interface PersonRow {
  readonly key: number;
  readonly document: string;
  readonly seen: string | null;
}

type PersonRows = ReturnType<typeof personRows>;

function personRows(database: DatabaseSync) {
  return {
    find: database.prepare('SELECT key, document, seen FROM person JOIN person_document USING (key) WHERE id = ?'),
    insertDocument: database.prepare('INSERT INTO person_document (document) VALUES (?)'),
    insertPerson: database.prepare(
      'INSERT INTO person (status, words, group_ids, contract_ids, seen, id, key) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    updateDocument: database.prepare('UPDATE person_document SET document = ? WHERE key = ?'),
    updatePerson: database.prepare(
      'UPDATE person SET status = ?, words = ?, group_ids = ?, contract_ids = ?, seen = ? WHERE id = ?',
    ),
    updateSeen: database.prepare('UPDATE person SET seen = ? WHERE id = ?'),
    deleteDocument: database.prepare('DELETE FROM person_document WHERE key = (SELECT key FROM person WHERE id = ?)'),
    deleteRead: database.prepare('DELETE FROM read_absences WHERE person_id = ?'),
    deletePerson: database.prepare('DELETE FROM person WHERE id = ?'),
    deleteBookings: database.prepare(`DELETE FROM booking WHERE person_id = ? RETURNING ${rowIds.bookings}`),
    deleteAbsences: database.prepare(`DELETE FROM absence WHERE person_id = ? RETURNING ${rowIds.absences}`),
  };
}
