import { API_SCOPE } from '@hr/schemas';
import { systems } from '@hr/schemas/rules';
import { addDays } from '../fixtures/calendar.ts';
import type { Scenario } from '../states/scenario.ts';
import { keyOf, submitPayment } from './payments.ts';
import { addMember, deletePerson, erasePerson } from './persons.ts';
import { RATE_LIMIT_SECONDS } from './failures.ts';
import type { Store } from './store.ts';

/** Adds a scenario to the store. */
export function loadScenario(store: Store, scenario: Scenario): void {
  const { clientId } = store;
  for (const member of scenario.members) addMember(store, member);
  for (const { idempotencyKey, ...submission } of scenario.keyedPayments) {
    submitPayment(store, submission, { clientId, idempotencyKey });
  }
  for (const key of scenario.keysInFlight) store.keysInFlight.add(keyOf(clientId, key));
  for (const change of scenario.changes) dateChanges(store, change);
  for (const personId of scenario.erased) erasePerson(store, personId);
  const deletion = { content: undefined, changedOn: store.today() };
  for (const { personId, date } of scenario.deletedDays) store.persons.get(personId)?.timeDays.set(date, deletion);
  for (const { personId, id } of scenario.deletedAbsences) store.persons.get(personId)?.absences.set(id, deletion);
  for (const personId of scenario.deletedPersons) deletePerson(store, personId);
  for (const { scope = API_SCOPE, ...client } of scenario.clients) {
    store.clients.set(client.clientId, { ...client, scope });
  }
  store.timeComponentVersion = scenario.timeComponentVersion ?? store.timeComponentVersion;
  if (scenario.isRateLimitUsedUp) store.rateLimitedUntil = store.clock() + RATE_LIMIT_SECONDS * 1000;
  if (scenario.isUnavailable) store.isUnavailable = true;
}

function dateChanges({ persons }: Store, { id, since, systems: changed }: Scenario['changes'][number]): void {
  const person = persons.get(id);
  if (!person) return;
  for (const system of systems) person.changedOn[system] = changed.includes(system) ? since : addDays(since, -1);
  person.shownOn = addDays(since, -1);
  const changedOn = person.changedOn.time;
  for (const [date, { content }] of person.timeDays) person.timeDays.set(date, { content, changedOn });
  for (const [absenceId, { content }] of person.absences) person.absences.set(absenceId, { content, changedOn });
}
