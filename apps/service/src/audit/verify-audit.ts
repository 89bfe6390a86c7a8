import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AuditVerification } from './audit-operations.ts';
import type { Database } from '../database/database.ts';
import { between } from '../database/list.ts';
import { raw, sql } from '../database/sql.ts';
import {
  blockHash,
  blockJson,
  chainedEvent,
  newestBlock,
  NO_BLOCK,
  LINE_END,
  monthOfMoment,
  openBlock,
  type AuditBlock,
  type OpenBlock,
} from './audit-chain.ts';
import { PRUNE_AUDIT } from './audit-events.ts';
import { momentOfId } from './uuid-v7.ts';

type AuditFault = AuditVerification['faults'][number];

const MAX_FAULTS = 100;
const ID_LENGTH = 36;
/** Their events are few enough to be sorted. */
const SECTION_BLOCKS = 25;
/** So much is read ahead, about the events of a section: a chunk has some 64 KiB. */
const AHEAD_CHUNKS = 128;

/** Compares each event with the chain, and the blocks with each other, in constant memory. */
export async function verifyAudit(database: Database): Promise<AuditVerification> {
  const prunedBefore = await prunedMonth(database);
  const newest = await newestBlock(database);
  const comparison = compareBlocks(prunedBefore);
  const ending = new AbortController();
  try {
    // While events of one are hashed, the database reads those of the next one.
    const sections = Readable.from(sectionsUntil(database, newest, ending.signal), { highWaterMark: 1 });
    for await (const section of sections as AsyncIterable<Section>) await compareSection(section, comparison);
  } finally {
    ending.abort();
  }
  const counts = await countEvents(database, String(newest.lastPosition));
  const { intact, pruned, faults, moreFaults } = comparison.end(counts.chained);
  // Its events were there for a part of this only.
  if ((await prunedMonth(database)) !== prunedBefore) return verifyAudit(database);
  return {
    block: newest.number,
    hash: newest.hash,
    intact,
    unchained: counts.unchained,
    ...(pruned > 0 && { pruned: { before: prunedBefore, events: pruned } }),
    faults,
    moreFaults,
  };
}

/** Blocks that follow each other, and the events up to the last position of them. */
interface Section {
  readonly blocks: readonly AuditBlock[];
  readonly events: Readable;
}

/** @param signal ends all that was read ahead */
async function* sectionsUntil(
  database: Database,
  { number, lastPosition }: Pick<AuditBlock, keyof typeof NO_BLOCK>,
  signal: AbortSignal,
): AsyncGenerator<Section, undefined> {
  let after: string | undefined;
  async function sectionOf(blocks: readonly AuditBlock[], until: string): Promise<Section> {
    // With both ends, the database has no way to read many more events than these, also without statistics.
    const list = [
      sql`select position as key, ${raw(chainedEvent)} as element from audit_event where position <= ${until}::bigint`,
    ];
    const { json } = await database.list(between(list, { after }));
    const events = new PassThrough({ objectMode: true, highWaterMark: AHEAD_CHUNKS });
    pipeline(json, events, { signal }).catch(() => {
      // The reader of the events gets the error, too.
    });
    after = until;
    return { blocks, events };
  }

  let blocks: AuditBlock[] = [];
  let until = 0;
  for await (const block of blocksUntil(database, number)) {
    until = Math.min(Math.max(until, block.lastPosition), lastPosition);
    if (blocks.push(block) < SECTION_BLOCKS) continue;
    yield await sectionOf(blocks, String(until));
    blocks = [];
  }
  yield await sectionOf(blocks, String(lastPosition));
}

async function compareSection({ blocks, events }: Section, comparison: BlockComparison): Promise<void> {
  let next = 0;
  for await (const { bytes, ends } of linesOf(events)) {
    let start = 0;
    // Events of a block that follow each other are hashed at once.
    let run: { readonly start: number; readonly found: FoundBlock } | undefined;
    for (const end of ends) {
      const { position, id } = placeAt(bytes, start);
      for (let block = blocks[next]; block && position > block.lastPosition; block = blocks[++next]) {
        run?.found.hash.update(bytes.subarray(run.start, start));
        run = undefined;
        comparison.compare(block);
      }
      const found = comparison.add(id);
      if (found !== run?.found) {
        run?.found.hash.update(bytes.subarray(run.start, start));
        run = { start, found };
      }
      start = end;
    }
    run?.found.hash.update(bytes.subarray(run.start)).update(LINE_END);
  }
  for (const block of blocks.slice(next)) comparison.compare(block);
}

/** The events that are there for the next block of a month. */
interface FoundBlock extends OpenBlock {
  lastId: string;
}

type BlockComparison = ReturnType<typeof compareBlocks>;

/** Compares blocks with the events before each of them, and with the block before. */
function compareBlocks(prunedBefore: string) {
  const open = new Map<string, FoundBlock>();
  /** Of each month, the last event until the newest block of it, and the fault there. */
  const ends = new Map<string, { readonly lastId: string | undefined; readonly fault?: AuditFault }>();
  const faults: AuditFault[] = [];
  let [intact, pruned, moreFaults, events] = [0, 0, 0, 0];
  let previous: Pick<AuditBlock, keyof typeof NO_BLOCK> = NO_BLOCK;
  const monthOf = createMonthOf();

  function report(fault: AuditFault): AuditFault {
    if (faults.length < MAX_FAULTS) faults.push(fault);
    else moreFaults++;
    return fault;
  }

  return {
    /** Adds an event, and gives the block whose hash has to get its text. */
    add(id: string): FoundBlock {
      const month = monthOf(id);
      let found = open.get(month);
      if (!found) {
        const { fault } = ends.get(month) ?? {};
        if (fault) fault.before = id;
        open.set(month, (found = { ...openBlock(), lastId: id }));
      }
      found.events++;
      found.lastId = id;
      events++;
      return found;
    },
    compare(block: AuditBlock): void {
      const { number, month, events: chained, lastPosition } = block;
      const missing = number - previous.number - 1;
      if (missing > 0) report({ kind: 'block', block: previous.number + 1, chained: missing, found: 0 });
      const isLinked = missing > 0 || blockHash(previous.hash, block) === block.hash;
      const found = open.get(month);
      const count = found?.events ?? 0;
      if (!isLinked || lastPosition <= previous.lastPosition) {
        report({ kind: 'block', month, block: number, chained, found: count });
      }
      previous = block;
      open.delete(month);
      const after = ends.get(month)?.lastId;
      const end = { lastId: found?.lastId ?? after };
      if (count === 0 && month < prunedBefore) pruned += chained;
      else if (count === chained && found?.hash.digest('hex') === block.eventsHash) intact += chained;
      else {
        const kind = count < chained ? 'missing' : count > chained ? 'added' : 'changed';
        const fault = report({ kind, month, block: number, chained, found: count, after });
        ends.set(month, { ...end, fault });
        return;
      }
      ends.set(month, end);
    },
    /** @param stored how many events there are in all */
    end(stored: number) {
      for (const [month, found] of open) report({ kind: 'added', month, chained: 0, found: found.events });
      // Pages go on behind a position, so events that share one with others may not have been read.
      if (stored > events) report({ kind: 'added', chained: events, found: stored });
      return { intact, pruned, faults, moreFaults };
    },
  };
}

/** Gives the month of an id as {@link placeOf} does, for ids most of which are of the month of the id before. */
function createMonthOf(): (id: string) => string {
  let [month, from, to] = ['', 0, 0];
  return (id) => {
    const moment = momentOfId(id);
    if (moment < from || moment >= to) {
      month = monthOfMoment(moment);
      const start = new Date(moment);
      from = Date.UTC(start.getUTCFullYear(), start.getUTCMonth());
      to = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1);
    }
    return month;
  };
}

/** The month before which the audit says that it was pruned; none if it is empty. */
async function prunedMonth(database: Database): Promise<string> {
  const [row] = await database.query<{ month: string | null }>(
    `select max(object_id) as month from audit_event where operation = '${PRUNE_AUDIT}' and access = 'change'`,
  );
  return row?.month ?? '';
}

/** How many events there are up to a position, and behind it. */
async function countEvents(database: Database, until: string) {
  const rows = await database.transaction(
    (transaction) =>
      transaction.query<{ chained: string; unchained: string }>(
        `select count(*) filter (where position <= $1::bigint is not false) as chained,
          count(*) filter (where position > $1::bigint) as unchained from audit_event`,
        [until],
      ),
    { long: true },
  );
  return { chained: Number(rows[0]?.chained), unchained: Number(rows[0]?.unchained) };
}

async function* blocksUntil(database: Database, number: number): AsyncGenerator<AuditBlock, undefined> {
  const { json } = await database.list([
    sql`select number as key, ${raw(blockJson)}::text as element from audit_block where number <= ${String(number)}::bigint`,
  ]);
  for await (const { bytes, ends } of linesOf(json)) {
    let start = 0;
    for (const end of ends) {
      yield JSON.parse(bytes.toString('utf8', start, end - LINE_END.length)) as AuditBlock;
      start = end;
    }
  }
}

const COMMA = 0x2c;
const LINE_FEED = 0x0a;
const QUOTE = 0x22;
const CLOSING_BRACKET = 0x5d;

/** The elements of a list, each of which is one line of its JSON, some at a time, with {@link LINE_END} between them. */
async function* linesOf(json: Readable): AsyncGenerator<{ bytes: Buffer; ends: number[] }> {
  for await (const chunk of json as AsyncIterable<Buffer>) {
    // A chunk has whole elements, behind the bracket of the list or the end of the element before.
    const bytes = chunk.subarray(chunk[0] === COMMA ? LINE_END.length : 1);
    if (bytes[0] === CLOSING_BRACKET) return;
    const ends: number[] = [];
    for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, end + 1)) ends.push(end + 1);
    yield { bytes, ends: [...ends, bytes.length + LINE_END.length] };
  }
}

/** The position and the id of an event, with which its text begins. */
function placeAt(bytes: Buffer, start: number): { readonly position: number; readonly id: string } {
  const at = start + '["'.length;
  const end = bytes.indexOf(QUOTE, at);
  const idAt = end + '","'.length;
  return {
    position: Number(bytes.toString('latin1', at, end)),
    id: bytes.toString('latin1', idAt, idAt + ID_LENGTH),
  };
}
