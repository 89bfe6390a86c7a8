import { z } from 'zod';
import { changeKinds } from './endpoints.ts';
import type * as models from './generated/models.ts';
import type { Model } from './model.ts';
import { Cursor, openEnum } from './primitives.ts';

/** What changed after a cursor, as far as the client may see it. An extension of the specification. */
export const Changes: Model<models.Changes> = z
  .strictObject({
    cursor: Cursor.describe('The `after` of the next call.'),
    changed: z.array(openEnum(...changeKinds)).describe('What changed, empty if nothing did.'),
  })
  .meta({ id: 'Changes', section: '4.2', description: 'What changed after a cursor.' });
export type Changes = models.Changes;
