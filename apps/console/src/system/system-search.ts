import { labelKinds } from '@hr/text/labels';
import { date, oneOf, searchReader, text, type SearchOf } from '../shell/search.ts';

/** The section, and the filters of the audit and of the dictionary. */
export const systemSearch = searchReader({
  tab: oneOf('clients', 'webhooks', 'labels', 'audit'),
  actor: text,
  person: text,
  access: oneOf('read', 'change', 'refused'),
  since: date,
  q: text,
  kind: oneOf('unnamed', ...labelKinds),
});
export type SystemSearch = SearchOf<typeof systemSearch>;
