import type { Person } from '@hr/schemas';
import { fieldsOf, systems } from '@hr/schemas/rules';
import { sameJson } from './same-json.ts';
import type { Store, StoredPerson } from './store.ts';
import { today } from './today.ts';
import { wholePerson } from './whole-person.ts';

/** Edits a person. A system whose fields read otherwise afterwards has changed today, and the others have not. */
export function changePerson(store: Store, person: StoredPerson, edit: () => void): void {
  const before = wholePerson(store, person);
  edit();
  const after = wholePerson(store, person);
  for (const system of systems) {
    if (fieldsOf(system).some((field: keyof Person) => !sameJson(before[field], after[field]))) {
      person.changedOn[system] = today(store);
    }
  }
}
