import { timeBookings } from '../../database/time-bookings.ts';
import type { Handler } from '../handler.ts';

export const listTimeBookings: Handler<'listTimeBookings'> = ({ database, config, query }) =>
  database.list(timeBookings({ ...query, timeZone: config.timeZone }));
