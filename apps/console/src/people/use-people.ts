import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { today } from '../model/calendar.ts';
import type { Gap } from '../model/gaps.ts';
import { bff, type BffError } from '../shell/bff.ts';
import type { PeopleScreen } from './directory-versions.ts';
import { byId } from './person-row.ts';

/** The persons of the directory. After a change, only what changed is read. */
export function usePeople(): UseQueryResult<PeopleScreen, BffError> {
  return useQuery<PeopleScreen, BffError>({
    queryKey: ['people'],
    meta: { kinds: ['persons'] },
    queryFn: async ({ client, queryKey }) => {
      const { data, isInvalidated } = client.getQueryState<PeopleScreen>(queryKey) ?? {};
      return mergePeople(data, await bff.get('people', { since: data?.version }, isInvalidated));
    },
  });
}

/** The ids of the active persons who lack something. */
export function useMissing(gap: Gap | undefined): UseQueryResult<readonly string[], BffError> {
  const date = today();
  return useQuery<readonly string[], BffError>({
    queryKey: ['missing', { gap, date }],
    enabled: gap !== undefined,
    queryFn: async ({ client, queryKey }) =>
      await bff.get('missing', { gap, date }, client.getQueryState(queryKey)?.isInvalidated),
  });
}

/** Adds what changed to the rows of before. */
export function mergePeople(before: PeopleScreen | undefined, read: PeopleScreen): PeopleScreen {
  if (before === undefined || read.deleted === undefined) return read;
  const rows = new Map(before.rows.map((row) => [row[0], row]));
  for (const id of read.deleted) rows.delete(id);
  for (const row of read.rows) rows.set(row[0], row);
  return { version: read.version, rows: [...rows.values()].toSorted(byId) };
}
