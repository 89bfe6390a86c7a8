import { issuesOf, operations, Person, PersonPatch, upgrade } from '@hr/schemas';
import { openApiDocument } from '@hr/schemas/openapi';
import { monthOf } from '@hr/schemas/rules';

/** Checks a person and a patch. */
export function program(): string {
  const { path } = operations.listPersons;
  const person: Person = Person.parse({ id: '4711', firstName: 'Zoë' });
  const old = { addresses: [{ street: 'Hauptstr.', postalCode: '10115' }] };
  const { error } = PersonPatch.safeParse(old);
  const faults = error && issuesOf(error, old).map(({ pointer }) => pointer);
  const { data } = upgrade(PersonPatch, old);
  const month = monthOf({ year: 2026, month: 1 });
  return [path in openApiDocument().paths, person.firstName, faults, JSON.stringify(data), month].join(' ');
}
