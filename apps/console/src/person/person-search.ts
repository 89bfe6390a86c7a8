export const tabs = ['profile', 'contracts', 'time', 'absences', 'history'] as const;
export type Tab = (typeof tabs)[number];

/** What the address of a person's screen says. Without a tab, it is the profile. */
export interface PersonSearch {
  readonly tab?: Tab;
}

/** Reads the address. It ignores what it does not know. */
export function personSearch(input: Readonly<Record<string, unknown>>): PersonSearch {
  const tab = tabs.find((name) => name === input['tab']);
  return tab === undefined ? {} : { tab };
}
