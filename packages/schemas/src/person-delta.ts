import { z } from 'zod';
import { Person } from './person.ts';

/** An element of a list of changes: `id` and every field of the systems that changed, `null` where it has no value (section 4.2). */
export type PersonDelta = Pick<Person, 'id'> & Nullable<Omit<Person, 'id'>> & { erased?: true | undefined };

// Over the fields of a type and not over their names, so that what is said of a field holds here, too.
type Nullable<T> = { [Field in keyof T]?: T[Field] | null };

const { id, ...fields } = Person.shape;
const erased = z
  .literal(true)
  .optional()
  .describe('All data of the person was deleted for good: delete yours. Every other field is `null`.')
  .meta({ 'x-extension': true });
const nullable = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, orNull(field)]));

function orNull(field: (typeof fields)[keyof typeof fields]): z.ZodType {
  const { deprecated, description } = field.unwrap().meta() ?? {};
  // It is the field that is deprecated, and not one of the two that it may be.
  return deprecated ? field.nullable().meta({ deprecated, description }) : field.nullable();
}

/** {@inheritDoc PersonDelta} */
export const PersonDelta: z.ZodType<PersonDelta> = z.strictObject({ id, ...nullable, erased }).meta({
  id: 'PersonDelta',
  description:
    'Only the fields of the systems that changed. There, and nowhere else, `null` says that a field has no value.',
});
