// What the addresses of screens have, and the backend reads as well. It loads nothing that a browser needs.

/** What people can be sorted by. */
export const sortKeys = ['name', 'number', 'job', 'place', 'groups', 'status', 'entry', 'exit'] as const;
export type SortKey = (typeof sortKeys)[number];

/** The tabs of a person. */
export const tabs = ['profile', 'contracts', 'time', 'absences', 'history'] as const;
export type Tab = (typeof tabs)[number];
