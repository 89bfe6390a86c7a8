import { oneOf, searchReader, type SearchOf } from '../shell/search.ts';

export const tabs = ['profile', 'contracts', 'time', 'absences', 'history'] as const;
export type Tab = (typeof tabs)[number];

/** Without a tab, it is the profile. */
export const personSearch = searchReader({ tab: oneOf(...tabs) });
export type PersonSearch = SearchOf<typeof personSearch>;
