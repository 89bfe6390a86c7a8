import { isDeepStrictEqual } from 'node:util';
import type { Person } from '@hr/client';
import type { Mirror } from '@hr/client/mirror';
import type { Cluster } from './cluster.ts';
import { BILLING_PERIOD, PERSONS, type Load } from './load.ts';
import { until } from './wait.ts';

/** How long what follows changes may take to catch up: also a webhook's second and third attempt. */
const CATCH_UP_SECONDS = 300;

/** What does not hold of all that the service has acknowledged. */
export async function brokenLaws(cluster: Cluster, load: Load): Promise<string[]> {
  const { hr, acknowledged, mirrors } = load;
  const persons = new Map((await hr.persons.list()).map((person) => [person.id, person]));
  const absences = (await hr.time.allAbsences()).map(({ id }) => id);
  const payments = await cluster.service(['payments', 'list', '--billing-period', BILLING_PERIOD, '--json']);
  const keys = (JSON.parse(payments) as { idempotencyKey?: string }[]).map(({ idempotencyKey }) => idempotencyKey);
  const moved = [...acknowledged.moved].flatMap(([id, houseNumber]) => {
    const stored = persons.get(id)?.address?.houseNumber;
    return stored === houseNumber ? [] : [`The house number ${houseNumber} was acknowledged, and ${stored} is there.`];
  });
  const followers = [
    ...mirrors.map((mirror) => mirrorFaults(mirror, persons)),
    // The last webhook covers every change.
    caughtUp('The last webhook', async () => (await hr.changes.get({ after: load.heard })).changed.length === 0),
  ];
  return [
    ...(persons.size === PERSONS ? [] : [`${persons.size} of ${PERSONS} persons are listed.`]),
    ...moved,
    ...countFaults('payment', acknowledged.paid, keys),
    ...countFaults('imported absence', acknowledged.absent, absences),
    ...(await Promise.all(followers)).flat(),
    ...(await cluster.service(['audit', 'verify']).then(
      () => [],
      (error: unknown) => [String(error)],
    )),
  ];
}

/** Names what is missing, or there more than once. */
function countFaults(what: string, acknowledged: readonly string[], stored: readonly (string | undefined)[]): string[] {
  const times = Map.groupBy(stored, (key) => key);
  return acknowledged.flatMap((key) => {
    const count = times.get(key)?.length ?? 0;
    return count === 1 ? [] : [`An acknowledged ${what} is there ${count} times: ${key}.`];
  });
}

async function mirrorFaults(mirror: Mirror, persons: ReadonlyMap<string, Person>): Promise<string[]> {
  const isSame = (): boolean =>
    mirror.countPersons() === persons.size &&
    [...persons].every(([id, person]) => isDeepStrictEqual(mirror.person(id)?.person, person));
  return caughtUp('A mirror with the same persons', () => Promise.resolve(isSame()));
}

async function caughtUp(what: string, ask: () => Promise<boolean>): Promise<string[]> {
  try {
    await until(what, ask, CATCH_UP_SECONDS);
    return [];
  } catch (error) {
    return [String(error)];
  }
}
