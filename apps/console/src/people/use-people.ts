import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { bff, type BffError } from '../shell/bff.ts';
import { mergePeople, type PeopleScreen } from './directory.ts';

/** The persons of the directory, for the screen and the palette. After a change, only what changed is read. */
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
