import { allPersons, changedPersons } from '../../database/persons.ts';
import type { Handler } from '../handler.ts';

export const listPersons: Handler<'listPersons'> = ({ database, config, query: { changedSince } }) =>
  database.list(changedSince === undefined ? allPersons : changedPersons(changedSince, config.timeZone));
