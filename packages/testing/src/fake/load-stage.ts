import { API_SCOPE } from '@hr/schemas';
import { systems } from '@hr/schemas/rules';
import { addDays } from '../fixtures/calendar.ts';
import type { Stage } from '../states/stage.ts';
import { addMember } from './add-member.ts';
import { erasePerson } from './erase-person.ts';
import { RATE_LIMIT_WINDOW_SECONDS } from './rate-limit.ts';
import type { Store } from './store.ts';
import { keyOf, submitPayment } from './submit-payment.ts';

/**
 * Brings into the store what a stage holds, beside what is there already.
 *
 * @param clientId the client under test
 */
export function loadStage(store: Store, stage: Stage, clientId: string): void {
  for (const member of stage.members) addMember(store, member);
  for (const { idempotencyKey, ...submission } of stage.keyedPayments) {
    submitPayment(store, submission, { clientId, idempotencyKey });
  }
  for (const key of stage.keysInFlight) store.keysInFlight.add(keyOf(clientId, key));
  for (const change of stage.changes) dateChanges(store, change);
  for (const personId of stage.erased) erasePerson(store, personId);
  for (const { scope = API_SCOPE, ...client } of stage.clients) {
    store.clients.set(client.clientId, { ...client, scope });
  }
  if (stage.timeComponentVersion !== undefined) store.timeComponentVersion = stage.timeComponentVersion;
  if (stage.isRateLimitUsedUp) store.rateLimitedUntil = store.clock() + RATE_LIMIT_WINDOW_SECONDS * 1000;
  if (stage.isUnavailable) store.isUnavailable = true;
}

function dateChanges({ persons }: Store, { id, since, systems: changed }: Stage['changes'][number]): void {
  const person = persons.get(id);
  if (!person) return;
  const dayBefore = addDays(since, -1);
  for (const system of systems) person.changedOn[system] = changed.includes(system) ? since : dayBefore;
  const changedOn = person.changedOn.time;
  for (const [date, { content }] of person.timeDays) person.timeDays.set(date, { content, changedOn });
  for (const [absenceId, { content }] of person.absences) person.absences.set(absenceId, { content, changedOn });
}
