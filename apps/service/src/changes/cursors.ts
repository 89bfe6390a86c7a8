import { problems } from '@hr/schemas/provider';
import type { CredentialKeys } from '../clients/credential-keys.ts';
import { createLookupCache } from '../clients/lookup-cache.ts';
import { changesSince } from '../database/change-sets.ts';
import type { Queries } from '../database/database.ts';
import type { ListStarts } from '../http/changes.ts';
import type { TokenGrant } from '../http/grant.ts';
import { changesAfter, currentPosition, type Later, type Position } from './positions.ts';

/** Cursors: positions in the changes that are signed for a client, and for what it sees. */
export type Cursors = ReturnType<typeof createCursors>;

export function createCursors(keys: CredentialKeys) {
  // After a change, very many requests of a client have the same cursor, and get the same one.
  const signed = createLookupCache<string>(() => true);
  const opened = createLookupCache<Awaited<ReturnType<CredentialKeys['opened']>>>(() => true);

  /** The cursor of a client at a position. */
  async function cursorAt(
    { snapshot, latest, digest }: Position,
    { clientId, grantsChange }: TokenGrant,
  ): Promise<string> {
    const text = [latest, digest, grantsChange ?? '', ...compact(snapshot)].join(' ');
    return (await signed.get(`${clientId} ${text}`, () => keys.signed(text, clientId))) as string;
  }

  /**
   * The position of a cursor.
   *
   * @throws {HttpProblem} `invalid-request` if it is not one of this client, or `cursor-expired`.
   */
  async function positionOf(cursor: string, { clientId, grantsChange }: TokenGrant): Promise<Position> {
    const content = await opened.get(`${clientId} ${cursor}`, () => keys.opened(cursor, clientId));
    if (!content) throw problems.foreignCursor();
    if (content === 'unknown-key') throw problems.cursorExpired('database');
    const [latest = '', digest = '', grants = '', ...snapshot] = content.text.split(' ');
    if (grants !== (grantsChange ?? '')) throw problems.cursorExpired('grants');
    return { latest, digest, snapshot: written(snapshot) };
  }

  return {
    cursorAt,
    positionOf,
    changesAfter: laterThan,
    async start(
      ...[{ changedSince, after }, { queries, grant, timeZone }]: Parameters<ListStarts['start']>
    ): ReturnType<ListStarts['start']> {
      if (after !== undefined) {
        const { since, position } = await laterThan(queries, await positionOf(after, grant));
        return { since, cursor: await cursorAt(position, grant) };
      }
      const cursor = await cursorAt(await currentPosition(queries), grant);
      const since = changedSince === undefined ? undefined : await changesSince(queries, changedSince, timeZone);
      return { since, cursor };
    },
  };
}

/**
 * What came after a position.
 *
 * @throws {HttpProblem} `cursor-expired`.
 */
async function laterThan(queries: Queries, position: Position): Promise<Later> {
  const later = await changesAfter(queries, position);
  if (typeof later === 'string') throw problems.cursorExpired(later);
  return later;
}

/** A snapshot as its lowest transaction, and the distance of the others to that. */
function compact(snapshot: string): string[] {
  const [lowest = '', next = '', inProgress = ''] = snapshot.split(':');
  const distance = (xid: string): string => String(BigInt(xid) - BigInt(lowest));
  return [lowest, distance(next), ...inProgress.split(',').filter(Boolean).map(distance)];
}

function written([lowest = '', next = '', ...inProgress]: readonly string[]): string {
  const xid = (distance: string): string => String(BigInt(lowest) + BigInt(distance));
  return `${lowest}:${xid(next)}:${inProgress.map(xid).join(',')}`;
}
