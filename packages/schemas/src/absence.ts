import { z } from 'zod';
import type * as models from './generated/models.ts';
import type { Model } from './model.ts';
import { deleted, nullable } from './delta.ts';
import { Decimal, Identifier, LocalDate } from './primitives.ts';

/** An absence of a person (section 2.10). It has no type: the key does not distinguish vacation from sickness. */
export const Absence: Model<models.Absence> = z
  .strictObject({
    id: Identifier,
    personId: Identifier,
    startDate: LocalDate.describe('The first day.'),
    endDate: LocalDate.describe('The last day. Without it the absence goes on.').optional(),
    amount: Decimal.describe('The specification states no unit.').optional(),
    key: Identifier.describe('The booking key.').optional(),
  })
  .meta({
    id: 'Absence',
    section: '2.10',
    description: 'An absence of a person. It has no type: the key does not distinguish vacation from sickness.',
  });
export type Absence = models.Absence;

const { id, personId, ...fields } = Absence.shape;

/** An absence in a list of changes: as it is now, or deleted (section 4.6). */
export const AbsenceDelta: Model<models.AbsenceDelta> = z
  .strictObject({ id, personId, ...nullable(fields), deleted })
  .meta({
    id: 'AbsenceDelta',
    section: '4.6',
    description: 'An absence that changed. Its fields are `null` when it was deleted.',
  });
export type AbsenceDelta = models.AbsenceDelta;
