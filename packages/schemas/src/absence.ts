import { z } from 'zod';
import { Decimal } from './decimal.ts';
import { Identifier } from './identifier.ts';
import { LocalDate } from './local-date.ts';

/** An absence of a person (section 2.10). There are no types of absence: the key says nothing of vacation or sickness. */
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
