import { isHrError, type HrError, type Person } from '@hr/client';
import { issuesOf, operations } from '@hr/schemas';
import { z } from 'zod';
import type { Console } from '../backend/console.ts';
import { SentDraft } from '../backend/draft-routes.ts';
import { Problem, problemOf, tryToStore } from '../backend/problem.ts';
import type { User } from '../backend/records.ts';
import { fieldsOf, isSame, storedValue, type EditKind, type Fields } from './stored-value.ts';

/** What the browser sends to save. */
export const Change = z.strictObject({
  /** Of the value that the person started from. */
  version: z.string(),
  fields: z.record(z.string(), z.string()),
  /** Sends the stored IBAN again, which the browser does not have. The service would discard it otherwise. */
  keepsIban: z.boolean(),
  draft: SentDraft,
});
type Change = Omit<z.infer<typeof Change>, 'draft'>;

/** What a save did. Nothing of the service's response is passed on, because it has the full IBAN. */
export interface Saved {
  /** `unchanged`: the value is stored already, so nothing was sent. */
  readonly outcome: 'saved' | 'unchanged';
}

const actions = { address: 'update-address', bankDetails: 'update-bank-details' } as const;
const TIMEOUT_MS = 20_000;

/**
 * Saves an address or bank details, unless somebody else changed them meanwhile. One save of a person has to end before
 * the next one begins.
 *
 * The API has no `If-Match`. A change that another client makes between the check here and the PATCH is overwritten. No
 * caller can close this gap. It stays short, because the PATCH is not retried.
 */
export async function saveChange(
  { cloud, records }: Console,
  user: User,
  kind: EditKind,
  id: string,
  change: Change,
): Promise<Saved> {
  const person = await readPerson(cloud, id);
  const next = {
    ...fieldsOf(change.fields),
    ...(change.keepsIban && person.bankDetails?.iban && { iban: person.bankDetails.iban }),
  };
  if (isSame(fieldsOf(person[kind]), fieldsOf(next))) return { outcome: 'unchanged' };
  if (storedValue(records.key, kind, person).version !== change.version) {
    throw new Problem('conflict', 'Somebody else changed the value meanwhile.');
  }
  const patch = checkedPatch(kind, next);
  let unknown: HrError | undefined;
  try {
    await cloud.hr.persons.update(id, patch, { retry: { limit: 0 }, timeout: TIMEOUT_MS });
  } catch (error) {
    if (!isHrError(error) || error.outcome === 'rejected' || error.outcome === 'not-sent') throw error;
    // If it is accepted, the service made the change, but its response cannot be used.
    if (error.outcome !== 'accepted') unknown = error;
  }
  // The change is made, and who made it was stored before it was sent.
  tryToStore(() => records.record(user, actions[kind], id));
  // Screens show what is stored now.
  await readPerson(cloud, id).catch(() => undefined);
  if (unknown) throw unknown;
  return { outcome: 'saved' };
}

/** Returns a person as stored now. */
async function readPerson(cloud: Console['cloud'], id: string): Promise<Person> {
  try {
    await cloud.sync('persons');
  } catch (error) {
    // Whatever became of the read, nothing was changed.
    const { code, detail, requestId } = problemOf(error).body;
    const reason = code === 'cannot-store' ? code : 'service-unavailable';
    throw new Problem(reason, `The stored data cannot be read. ${detail}`, { requestId });
  }
  return storedPerson(cloud, id);
}

/** Returns a person of the local copy. */
export function storedPerson({ mirror }: Console['cloud'], id: string): Person {
  const { person } = mirror.person(id) ?? {};
  if (person === undefined) throw new Problem('not-found', 'There is no person with this id.');
  return person;
}

/** An address without a field clears the address. The pointers of errors are those of the service. */
function checkedPatch(kind: EditKind, fields: Fields): z.infer<typeof operations.updatePerson.body> {
  const addresses = Object.keys(fields).length > 0 ? [fields] : [];
  const patch = kind === 'address' ? { addresses } : { bankDetails: fields };
  const { success, data, error } = operations.updatePerson.body.safeParse(patch);
  if (success) return data;
  throw new Problem('invalid-input', 'The input breaks a rule of the API.', { errors: issuesOf(error, patch) });
}
