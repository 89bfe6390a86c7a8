import { issuesOf, operations, Person, PersonPatch, upgrade } from '@hr/schemas';
import { openApiDocument } from '@hr/schemas/openapi';
import { monthOf } from '@hr/schemas/rules';

/** Holds what the service says of itself against what the package says of it. */
export async function program(baseUrl: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/openapi.json`);
  const { paths } = (await answer.json()) as { paths: Record<string, object> };
  const same = Object.keys(openApiDocument().paths).every((path) => path in paths);
  const person: Person = Person.parse({ id: '4711', firstName: 'Zoë' });
  const old = { addresses: [{ street: 'Hauptstr.', postalCode: '10115' }] };
  const { error } = PersonPatch.safeParse(old);
  const faults = error ? issuesOf(error, old).map(({ pointer }) => pointer) : [];
  const { data } = upgrade(PersonPatch, old);
  const month = monthOf({ year: 2026, month: 1 });
  return [operations.listPersons.path, same, person.firstName, faults, JSON.stringify(data), month].join(' ');
}
