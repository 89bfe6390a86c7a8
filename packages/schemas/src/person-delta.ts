import { z } from 'zod';
import { deleted, nullable } from './delta.ts';
import type * as models from './generated/models.ts';
import { Person } from './person.ts';

const { id, ...fields } = Person.shape;
const erased = z
  .literal(true)
  .optional()
  .describe('All data of the person was deleted for good: delete yours. Every other field is `null`.')
  .meta({ 'x-extension': true });

/**
 * An element of a list of changes: `id` and every field of the systems that changed, `null` without a value (section
 * 4.2).
 */
export const PersonDelta: z.ZodType<models.PersonDelta> = z
  .strictObject({ id, ...nullable(fields), deleted, erased })
  .meta({
    id: 'PersonDelta',
    section: '4.2',
    description:
      'Only the fields of the systems that changed. There, and nowhere else, `null` says that a field has no value.',
  });
export type PersonDelta = models.PersonDelta;
