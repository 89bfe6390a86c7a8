import { z } from 'zod';
import { deleted, nullable } from './delta.ts';
import { Decimal } from './decimal.ts';
import { Identifier } from './identifier.ts';
import { LocalDate } from './local-date.ts';

/** An absence of a person (section 2.10). It has no type: the key does not distinguish vacation from sickness. */
export const Absence = z
  .strictObject({
    id: Identifier,
    personId: Identifier,
    startDate: LocalDate,
    endDate: LocalDate.describe('The last day. Without it the absence goes on.').optional(),
    amount: Decimal.optional(),
    key: Identifier.describe('The booking key.').optional(),
  })
  .meta({ id: 'Absence' });
export type Absence = z.output<typeof Absence>;

const { id, personId, ...fields } = Absence.shape;

/** An absence in a list of changes: as it is now, or deleted (section 4.6). */
export const AbsenceDelta = z
  .strictObject({ id, personId, ...nullable(fields), deleted })
  .meta({ id: 'AbsenceDelta', description: 'Its fields are `null` when it was deleted.' });
export type AbsenceDelta = z.output<typeof AbsenceDelta>;
