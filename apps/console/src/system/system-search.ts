import { date, oneOf, searchReader, text, type SearchOf } from '../shell/search.ts';

/** The section, and the filters of the audit. */
export const systemSearch = searchReader({
  tab: oneOf('clients', 'webhooks', 'audit'),
  actor: text,
  person: text,
  access: oneOf('read', 'change', 'refused'),
  since: date,
});
export type SystemSearch = SearchOf<typeof systemSearch>;
