import { DocumentStore } from './document-store.ts';
import type { Sync } from './sync.ts';

/** Reads time bookings into the mirror, day by day. */
export async function syncBookings(sync: Sync): Promise<void> {
  const store = new DocumentStore(sync, {
    find: 'SELECT key, document FROM booking WHERE person_id = ? AND date = ?',
    insert: 'INSERT INTO booking (document, person_id, date) VALUES (?, ?, ?)',
    update: 'UPDATE booking SET document = ? WHERE key = ?',
    delete: 'DELETE FROM booking WHERE key = ?',
  });
  for await (const element of sync.hr.time.bookings({ changedSince: sync.changedSince }, sync.call)) {
    const { personId, days } = element;
    for (const day of days) store.store(personId, day.date, `${personId}/${day.date}`, day);
    sync.progress();
  }
}
