import type { Person } from '../hr-client.ts';
import type { ChangesOptions, Collection, MirrorChange, MirrorRowChange } from './mirror.ts';
import { whenFree, type MirrorDatabase } from './mirror-database.ts';
import { MirrorError } from './mirror-error.ts';

const PAGE = 500;

interface LoggedChange extends Omit<MirrorRowChange, 'fields' | 'before'> {
  readonly number: number;
  readonly fields: string;
  readonly before: string | null;
}

/** Hands the log to a consumer: see `Mirror.changes`. */
export async function* readChanges(
  mirror: MirrorDatabase,
  { consumer, signal }: ChangesOptions,
): AsyncGenerator<MirrorChange, void, undefined> {
  if (typeof consumer !== 'string' || consumer === '') {
    throw new MirrorError('invalid-option', 'changes: consumer must be a name that is not empty.');
  }
  const { reader } = mirror;
  const unknown = reader.prepare(
    'SELECT name FROM collection WHERE name NOT IN (SELECT collection FROM consumer WHERE name = ?)',
  );
  const outdated = reader.prepare(
    `SELECT consumer.collection, (SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'change') AS head
    FROM consumer JOIN collection ON collection.name = consumer.collection
    WHERE consumer.name = ? AND consumer.position < changes_after`,
  );
  const next = reader.prepare(
    `SELECT number, change.collection, kind, person_id AS personId, id, fields, before
    FROM change JOIN consumer ON consumer.name = ? AND consumer.collection = change.collection
    WHERE number > max(consumer.position, ?) ORDER BY number LIMIT ${PAGE}`,
  );
  const acknowledged = new Map<Collection, number>();

  async function store(positions: readonly (readonly [collection: Collection, position: number])[]): Promise<void> {
    if (positions.length === 0) return;
    const { database, close } = await whenFree(() => mirror.beginWriting(), signal);
    try {
      const statement = database.prepare(
        `INSERT INTO consumer (name, collection, position) VALUES (?, ?, ?)
        ON CONFLICT (name, collection) DO UPDATE SET position = max(position, excluded.position)`,
      );
      for (const [collection, position] of positions) statement.run(consumer, collection, position);
      database.exec('COMMIT');
    } finally {
      close();
    }
  }

  async function storeAcknowledged(): Promise<void> {
    const positions = [...acknowledged];
    acknowledged.clear();
    await store(positions);
  }

  // From then on, syncs log the changes of these. They begin with a reset.
  await store(unknown.all(consumer).map(({ name }) => [name as Collection, -1]));
  try {
    for (const { collection, head } of outdated.all(consumer)) {
      yield { kind: 'reset', collection: collection as Collection };
      acknowledged.set(collection as Collection, Number(head));
    }
    await storeAcknowledged();
    for (let last = -1; ;) {
      const rows = next.all(consumer, last) as unknown as LoggedChange[];
      for (const { number, fields, before, ...change } of rows) {
        last = number;
        const values = before !== null && { before: JSON.parse(before) as Partial<Person> };
        yield { ...change, fields: JSON.parse(fields) as string[], ...values };
        acknowledged.set(change.collection, number);
      }
      // oxlint-disable-next-line no-await-in-loop -- one page after the other
      await storeAcknowledged();
      if (rows.length < PAGE) return;
    }
  } finally {
    if (!signal?.aborted) await storeAcknowledged();
  }
}
