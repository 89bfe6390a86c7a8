import { DocumentStore } from './document-store.ts';
import type { Sync } from './sync.ts';

/** Reads time bookings into the mirror, day by day. */
export async function syncBookings(sync: Sync): Promise<string | undefined> {
  const store = new DocumentStore(sync, {
    find: 'SELECT key, document FROM booking WHERE person_id = ? AND date = ?',
    insert: 'INSERT INTO booking (document, person_id, date) VALUES (?, ?, ?)',
    update: 'UPDATE booking SET document = ? WHERE key = ?',
    delete: 'DELETE FROM booking WHERE key = ?',
  });
  let done = 0;
  const list = sync.hr.time.bookings(sync.from, sync.call);
  for await (const element of list) {
    const { personId, days } = element;
    for (const day of days) store.store(personId, day.date, `${personId}/${day.date}`, day);
    sync.progress({ done: ++done });
  }
  return list.cursor;
}
