import { systems, type System } from '@hr/schemas/rules';
import { addDays } from '../fixtures/calendar.ts';
import type { Scenario } from '../states/scenario.ts';
import { RATE_LIMIT_SECONDS } from './failures.ts';
import { keyOf, submitPayment } from './payments.ts';
import { addMember, deletePerson, erasePerson } from './persons.ts';
import type { Store } from './store.ts';
import { addEndpoint, readerOf } from './webhooks.ts';

/** Adds a scenario to the store. */
export function loadScenario(store: Store, { members, parametersOf }: Scenario): void {
  const { clientId, clients, persons } = store;
  for (const member of members) addMember(store, member);
  for (const { idempotencyKey, ...submission } of parametersOf('a payment submitted with a key')) {
    submitPayment(store, submission, { clientId, idempotencyKey });
  }
  for (const { idempotencyKey } of parametersOf('a payment being submitted with a key')) {
    store.keysInFlight.add(keyOf(clientId, idempotencyKey));
  }
  for (const { id, since, systems: changed } of parametersOf('a person who changed')) {
    dateChanges(store, id, since, changed);
  }
  for (const { id } of parametersOf('an erased person')) erasePerson(store, id);
  const deleted = () => ({ content: undefined, changed: store.change() });
  for (const { personId, date } of parametersOf('a deleted day of time bookings')) {
    persons.get(personId)?.timeDays.set(date, deleted());
  }
  for (const { personId, id } of parametersOf('a deleted absence')) persons.get(personId)?.absences.set(id, deleted());
  for (const { id } of parametersOf('a deleted person')) deletePerson(store, id);
  for (const client of parametersOf('an API client')) clients.set(client.clientId, client);
  for (const grants of parametersOf('a client with grants')) store.grants = grants;
  for (const endpoint of parametersOf('a webhook endpoint')) {
    addEndpoint(store, endpoint, readerOf(store, clientId));
  }
  for (const { endpointId, ...delivery } of parametersOf('a webhook delivery')) {
    store.webhookEndpoints.get(endpointId)?.deliveries.push(delivery);
  }
  for (const { version } of parametersOf('an outdated time component')) store.timeComponentVersion = version;
  if (parametersOf('a used-up rate limit').length > 0) {
    store.rateLimitedUntil = store.clock() + RATE_LIMIT_SECONDS * 1000;
  }
  if (parametersOf('an unavailable service').length > 0) store.isUnavailable = true;
}

/** Dates the last changes of a person. */
function dateChanges(store: Store, id: string, since: string, changed: readonly System[]): void {
  const person = store.persons.get(id);
  if (!person) return;
  const before = { day: addDays(since, -1) };
  const { changed: last } = person;
  for (const system of systems)
    last[system] = changed.includes(system) ? store.change(since) : { ...last[system], ...before };
  person.shown = { ...person.shown, ...before };
  for (const records of [person.timeDays, person.absences])
    for (const record of records.values()) record.changed = last.time;
}
