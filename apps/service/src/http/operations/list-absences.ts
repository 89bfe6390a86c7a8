import { personAbsences } from '../../database/absences.ts';
import type { Handler } from '../handler.ts';

export const listAbsences: Handler<'listAbsences'> = ({ database, config, path, query }) =>
  personAbsences(database, path.personId, { ...query, timeZone: config.timeZone });
