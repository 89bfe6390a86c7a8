import { z } from 'zod';
import type * as models from './generated/models.ts';
import type { Model } from './model.ts';
import { openEnum, text } from './primitives.ts';

/** What can change, by the names of the lists that read it. */
export const changeKinds = ['persons', 'timeBookings', 'absences', 'salaries', 'decisions'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** What changed after a cursor, as far as the client may see it. An extension of the specification. */
export const Changes: Model<models.Changes> = z
  .strictObject({
    cursor: text().describe('Where to go on.'),
    changed: z.array(openEnum(...changeKinds)).describe('What changed, empty if nothing did.'),
  })
  .meta({ id: 'Changes', section: '4.2', description: 'What changed after a cursor.' });
export type Changes = models.Changes;
