import { allPersons, changedPersons } from '../../database/persons.ts';
import type { Handler } from '../handler.ts';

export const listPersons: Handler<'listPersons'> = ({
  database,
  config,
  query: { changedSince },
  grant: { customFields },
}) =>
  database.list(
    changedSince === undefined ? allPersons(customFields) : changedPersons(changedSince, config.timeZone, customFields),
  );
