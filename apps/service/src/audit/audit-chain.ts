import { createHash, hash, type Hash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { z } from 'zod';
import type { Database, Queries } from '../database/database.ts';
import type * as models from './audit-operations.ts';
import { momentOfId } from './uuid-v7.ts';

/**
 * A block of the chain: some events of a month, as they were when it was made, and all blocks before it. Its hash of the
 * events is over the {@link chainedEvent} of each in the order of their positions, with {@link LINE_END}.
 */
export type AuditBlock = z.output<typeof models.AuditBlock>;

/** Before the first block. */
export const NO_BLOCK = { number: 0, lastPosition: 0, hash: '' } as const;

/**
 * SQL for an event as the chain has it, in one line. It depends on no setting. A column of a later version has to come
 * last, and only if it is not null, so that the hashes of older events stay.
 */
export const chainedEvent = `array_to_json(array[position::text, id::text, actor, acting_person, purpose, operation,
  request_id, access, person_id, payroll_contract_id, object_id, elements::text, status::text, fields::text])::text`;

/** SQL for a block, as {@link AuditBlock}. */
export const blockJson = `json_build_object('number', number, 'month', month, 'lastPosition', last_position,
  'events', events, 'eventsHash', encode(events_hash, 'hex'), 'hash', encode(hash, 'hex'))`;

/** Behind each event in the hash of a block. */
export const LINE_END = ',\n';

/** The month of a moment in UTC, such as `2026-01`. */
export function monthOfMoment(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, -'-01T00:00:00.000Z'.length);
}

/** The hash of a block, over that of the block before it. */
export function blockHash(previous: string, { number, month, lastPosition, events, eventsHash }: AuditBlock): string {
  return hash('sha256', JSON.stringify([previous, number, month, lastPosition, events, eventsHash]));
}

/** The newest block of the chain, or {@link NO_BLOCK}. */
export async function newestBlock(queries: Queries): Promise<Pick<AuditBlock, keyof typeof NO_BLOCK>> {
  const [row] = await queries.query<{ block: AuditBlock }>(
    `select ${blockJson} as block from audit_block order by number desc limit 1`,
  );
  return row?.block ?? NO_BLOCK;
}

/** Any number does, as long as every process of the service takes the same, and nothing else does. */
const CHAIN_LOCK = 4014;
/** An embedded database does nothing else while it reads them. */
const MAX_EVENTS = 5000;
const MAX_BLOCK_EVENTS = 1000;
const MAX_WAIT_MS = 4000;
const POLL_MS = 20;

/**
 * Adds blocks for events that have none, each event in exactly one. Whoever writes events neither waits for it nor holds
 * it up: it leaves events to a later call if transactions that may have earlier ones go on for seconds, or if another
 * process is at it.
 *
 * @returns whether there are more
 */
export function chainEvents(database: Database): Promise<boolean> {
  return database.transaction(async (transaction) => {
    // Each statement has to see what was committed before it, also where the server has another default.
    await transaction.query('set transaction isolation level read committed');
    // The index has the events in their order. Without statistics, the planner would read and sort all of them each time.
    await transaction.query('set local enable_sort = off');
    const [lock] = await transaction.query<{ isFree: boolean }>('select pg_try_advisory_xact_lock($1) as "isFree"', [
      CHAIN_LOCK,
    ]);
    const until = lock?.isFree ? await settledPosition(transaction) : undefined;
    if (until === undefined) return false;
    const newest = await newestBlock(transaction);
    const rows = await transaction.query<ChainedEvent>(
      `select position::float8 as position, id, ${chainedEvent} as text from audit_event where position > $1 and position <= $2
      order by audit_event.position limit ${MAX_EVENTS}`,
      [newest.lastPosition, until],
    );
    let [{ number, hash: previous }] = [newest];
    const blocks = blocksOf(rows).map((facts): AuditBlock => {
      const block = { ...facts, number: ++number, hash: '' };
      previous = blockHash(previous, block);
      return { ...block, hash: previous };
    });
    await transaction.query(
      `insert into audit_block select number, month, "lastPosition", events, decode("eventsHash", 'hex'), decode(hash, 'hex')
      from json_to_recordset($1::json) as block
        (number bigint, month text, "lastPosition" bigint, events int, "eventsHash" text, hash text)`,
      [JSON.stringify(blocks)],
    );
    return rows.length === MAX_EVENTS;
  });
}

/** Adds blocks for all events that are there, as far as they can have some within a moment. */
export async function chainAll(database: Database): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- in their order
  while (await chainEvents(database));
}

/**
 * A position up to which every event is there now, or never will be. A transaction locks the table before it takes its
 * first position, and until it has ended. So those that hold the lock after the newest position was read may still add an
 * event up to it, and no other one. It is all one transaction: positions that a crash or a failover has set back end it.
 *
 * @returns `undefined` if they take too long
 */
async function settledPosition(transaction: Queries): Promise<string | undefined> {
  const [newest] = await transaction.query<{ position: string }>(
    'select last_value::text as position from audit_position',
  );
  const writers = `select virtualtransaction as id from pg_locks
    where relation = 'audit_event'::regclass and mode = 'RowExclusiveLock' and pid <> pg_backend_pid()
      and database = (select oid from pg_database where datname = current_database())`;
  let left = await transaction.query<{ id: string }>(writers);
  const deadline = performance.now() + MAX_WAIT_MS;
  while (left.length > 0) {
    if (performance.now() > deadline) return undefined;
    // oxlint-disable no-await-in-loop -- until they have ended
    await setTimeout(POLL_MS);
    left = await transaction.query(`${writers} and virtualtransaction = any($1::text[])`, [left.map(({ id }) => id)]);
    // oxlint-enable no-await-in-loop
  }
  return newest?.position;
}

/** The events of a month that come next in the chain. */
export interface OpenBlock {
  readonly hash: Hash;
  events: number;
}

export function openBlock(): OpenBlock {
  return { hash: createHash('sha256'), events: 0 };
}

interface ChainedEvent {
  readonly position: number;
  readonly id: string;
  /** See {@link chainedEvent}. */
  readonly text: string;
}

/** Blocks of events in the order of their positions, which is that of the blocks, too. */
function blocksOf(events: readonly ChainedEvent[]): Omit<AuditBlock, 'number' | 'hash'>[] {
  const months = new Map<string, OpenBlock & { lastPosition: number }>();
  const blocks: Omit<AuditBlock, 'number' | 'hash'>[] = [];
  function close(month: string): void {
    const block = months.get(month);
    months.delete(month);
    if (!block) return;
    const { lastPosition, events: count } = block;
    blocks.push({ month, lastPosition, events: count, eventsHash: block.hash.digest('hex') });
  }
  for (const { position, id, text } of events) {
    const month = monthOfMoment(momentOfId(id));
    const block = months.get(month) ?? { ...openBlock(), lastPosition: 0 };
    block.hash.update(text + LINE_END);
    block.events++;
    block.lastPosition = position;
    months.set(month, block);
    if (block.events === MAX_BLOCK_EVENTS) close(month);
  }
  for (const month of months.keys()) close(month);
  return blocks.toSorted((one, other) => one.lastPosition - other.lastPosition);
}
