import { isDeepStrictEqual } from 'node:util';
import { isHrError, type HrError, type Person } from '@hr/client';
import { issuesOf, operations } from '@hr/schemas';
import { personName } from '@hr/text/person-name';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Console } from '../backend/console.ts';
import { deleteSent, SentDraft } from '../backend/draft-routes.ts';
import { Locks } from '../backend/locks.ts';
import { parseInput, Problem, problemOf, tryToStore } from '../backend/problem.ts';
import type { Asker } from '../backend/sessions.ts';
import type { View } from '../backend/view.ts';
import { fieldsOf, limitsOf, storedValue, type EditKind, type EditScreen, type Fields } from './stored-value.ts';

/** What the browser sends to save. */
const Change = z.strictObject({
  /** Of the value that the person started from. */
  version: z.string(),
  fields: z.record(z.string(), z.string()),
  /** Sends the stored IBAN again, which the browser does not have. The service would discard it otherwise. */
  keepsIban: z.boolean(),
  draft: SentDraft,
});

/** What a save did. Nothing of the service's response is passed on, because it has the full IBAN. */
export interface Saved {
  /** `unchanged`: the value is stored already, so nothing was sent. */
  readonly outcome: 'saved' | 'unchanged';
}

/** An IBAN in full. Only the audited reveal returns it. */
export interface RevealedBankDetails {
  readonly iban: string | undefined;
}

const Parameters = z.object({ id: z.string().min(1) });
const REVEALS_A_MINUTE = 10;
const TIMEOUT_MS = 20_000;
const kinds = [
  { kind: 'address', path: 'address', action: 'update-address' },
  { kind: 'bankDetails', path: 'bank-details', action: 'update-bank-details' },
] as const;

/** Adds the forms of the address and the bank details, and the audited reveal of an IBAN. */
export function addEditRoutes(app: FastifyInstance, context: Console): void {
  const { records } = context;
  const locks = new Locks();
  for (const { kind, path, action } of kinds) {
    const url = `/bff/people/:id/${path}`;
    const limits = limitsOf(kind);
    app.get(url, { config: { role: 'editor' } }, ({ view, params }): EditScreen => {
      const person = storedPerson(view, kind, parseInput(Parameters, params).id);
      return { name: personName(person), stored: storedValue(records.key, kind, person), limits };
    });
    app.post(url, { config: { role: 'editor' } }, async ({ user, view, viewNow, params, body }): Promise<Saved> => {
      const { id } = parseInput(Parameters, params);
      const { draft, ...change } = parseInput(Change, body);
      storedPerson(view, kind, id);
      return await locks.hold(id, async () => {
        const saved = await saveChange(context, viewNow, kind, id, change, () => records.record(user, action, id));
        deleteSent(context, user, draft);
        return saved;
      });
    });
  }

  const rateLimit = {
    max: REVEALS_A_MINUTE,
    timeWindow: '1 minute',
    // Of the session, because many people may share an address.
    keyGenerator: ({ sessionToken }: FastifyRequest) => sessionToken,
  };
  app.post(
    '/bff/people/:id/bank-details/reveal',
    { config: { role: 'editor', rateLimit } },
    async ({ user, view, params }): Promise<RevealedBankDetails> => {
      const { id } = parseInput(Parameters, params);
      const { bankDetails } = storedPerson(view, 'bankDetails', id);
      records.record(user, 'reveal-bank-details', id);
      return { iban: bankDetails?.iban ?? undefined };
    },
  );
}

/**
 * Saves an address or bank details, unless somebody else changed them meanwhile. One save of a person has to end before
 * the next one begins.
 *
 * The API has no `If-Match`. A change that another client makes between the check here and the PATCH is overwritten. No
 * caller can close this gap. It stays short, because the PATCH is not retried.
 *
 * @param record - Records who makes the change, before it is sent.
 */
async function saveChange(
  context: Console,
  viewNow: Asker['viewNow'],
  kind: EditKind,
  id: string,
  { version, fields, keepsIban }: Omit<z.infer<typeof Change>, 'draft'>,
  record: () => number,
): Promise<Saved> {
  const { cloud, records } = context;
  const person = await readPerson(context, viewNow, kind, id);
  const iban = keepsIban ? person.bankDetails?.iban : undefined;
  const next = fieldsOf({ ...fields, ...(iban && { iban }) });
  if (isDeepStrictEqual(fieldsOf(person[kind]), next)) return { outcome: 'unchanged' };
  if (storedValue(records.key, kind, person).version !== version) {
    throw new Problem('conflict', 'Somebody else changed the value meanwhile.');
  }
  const patch = checkedPatch(kind, next);
  // Before the request: it stays if the console ends meanwhile.
  const event = record();
  let unknown: HrError | undefined;
  try {
    await cloud.hr.persons.update(id, patch, { retry: { limit: 0 }, timeout: TIMEOUT_MS });
  } catch (error) {
    if (!isHrError(error) || error.outcome === 'rejected' || error.outcome === 'not-sent') {
      tryToStore(() => records.takeBack(event));
      throw error;
    }
    // If it is accepted, the service made the change, but its response cannot be used.
    if (error.outcome !== 'accepted') unknown = error;
  }
  // Screens show what is stored now.
  await readPerson(context, viewNow, kind, id).catch(() => undefined);
  if (unknown) throw unknown;
  return { outcome: 'saved' };
}

/** Returns a person as stored now. What somebody may change can be less than before. */
async function readPerson(context: Console, viewNow: Asker['viewNow'], kind: EditKind, id: string): Promise<Person> {
  try {
    await context.cloud.sync('persons');
  } catch (error) {
    // Whatever became of the read, nothing was changed.
    const { code, detail, requestId } = problemOf(error).body;
    const reason = code === 'cannot-store' ? code : 'service-unavailable';
    throw new Problem(reason, `The stored data cannot be read. ${detail}`, { requestId });
  }
  return storedPerson(viewNow(), kind, id);
}

/** Returns a person of the local copy whom somebody may change. */
function storedPerson(view: View | undefined, kind: EditKind, id: string): Person {
  if (view === undefined) throw new Problem('signed-out', 'The session has ended.');
  const { person } = view.person(id) ?? {};
  if (person === undefined) throw new Problem('not-found', 'There is no person with this id.');
  const words = kind === 'address' ? (['editor'] as const) : (['editor', 'pay'] as const);
  if (!view.may(id, ...words))
    throw new Problem('forbidden', `This needs a grant with ${words.join(', ')} for the person.`);
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
