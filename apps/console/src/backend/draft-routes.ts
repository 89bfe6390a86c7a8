import { personName } from '@hr/text/person-name';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Console } from './console.ts';
import type { DraftList, DraftVersion, StoredDraft } from './drafts.ts';
import { parseInput, Problem, tryToStore } from './problem.ts';
import type { User } from './records.ts';
import { consoleItself, type View } from './view.ts';

/** What the browser reads of a draft. */
export interface DraftRead {
  /** Undefined if there is none. */
  readonly stored: StoredDraft | undefined;
}

const HOUR_MS = 3_600_000;
/** A table of 5,000 payments has 1 MB. */
const MAX_BODY_BYTES = 2 ** 23;
const PERSON = /^(address|bankDetails)\/(.+)$/;

const Name = z.string().regex(/^(?:(?:address|bankDetails|table)\/.{1,300}|payment|table)$/);
const Read = z.strictObject({ user: z.string(), name: Name });
const Save = z.strictObject({
  ...Read.shape,
  savedAt: z.iso.datetime().optional(),
  patch: z.record(z.string(), z.unknown()).nullable(),
});
/** The draft whose content is sent. */
export const SentDraft = z.strictObject({ name: Name, savedAt: z.iso.datetime() }).optional();

/** Adds the drafts of each person: what is typed is saved here until it is sent. */
export function addDrafts(app: FastifyInstance, context: Console): void {
  const { drafts } = context.records;
  const cleaning = setInterval(() => tryToStore(() => clean(context)), HOUR_MS);
  app.addHook('onClose', async () => clearInterval(cleaning));

  app.get('/bff/drafts', { config: { role: 'editor' } }, ({ user, view, query }): DraftRead => {
    const { name } = ofUser(user, view, parseInput(Read, query));
    return { stored: drafts.get(user.id, name) };
  });
  app.post(
    '/bff/drafts',
    { bodyLimit: MAX_BODY_BYTES, config: { role: 'editor' } },
    ({ user, view, body }): DraftVersion => {
      const { name, patch, ...before } = ofUser(user, view, parseInput(Save, body));
      const savedAt = drafts.save(user.id, name, before.savedAt, patch);
      if (savedAt === undefined) throw new Problem('conflict', 'The draft was changed in another tab meanwhile.');
      announceDrafts(context, user);
      return { name, savedAt };
    },
  );
}

/** A page of a person may not know yet that somebody else has signed in. */
function ofUser<Input extends z.infer<typeof Read>>({ id }: User, view: View, input: Input): Input {
  if (input.user !== id) throw new Problem('signed-out', 'Another person is signed in.');
  if (!maySee(view, input.name)) throw new Problem('not-found', 'There is nothing that you may see.');
  return input;
}

/** Deletes a draft that was sent, unless the person changed it meanwhile. */
export function deleteSent(context: Console, user: User, draft: z.infer<typeof SentDraft>): void {
  if (draft === undefined) return;
  const { drafts } = context.records;
  // Otherwise the draft stays, of something that is done.
  if (tryToStore(() => drafts.save(user.id, draft.name, draft.savedAt, null))) announceDrafts(context, user);
}

/** Tells the pages of a person which drafts there are. */
export function announceDrafts(context: Console, user: User): void {
  context.live.tell({ type: 'drafts', user: user.id, drafts: draftsOf(context, user) });
}

export function draftsOf(context: Console, user: User): DraftList {
  const { records, viewOf } = context;
  const view = viewOf(user);
  tryToStore(() => clean(context));
  const known = records.drafts.list(user.id).filter(({ name }) => maySee(view, name));
  const drafts = known.map((draft) => {
    const { person } = view.person(PERSON.exec(draft.name)?.[2] ?? '') ?? {};
    return { ...draft, personName: person && personName(person) };
  });
  return { at: new Date().toISOString(), drafts };
}

function clean({ records, viewOf }: Console): void {
  const all = viewOf(consoleItself);
  records.drafts.clean((name) => !maySee(all, name));
}

/**
 * Whether somebody may see what a draft is about: it may have the values from which its author started. Before the first
 * sync, every person may exist.
 */
function maySee(view: View, name: string): boolean {
  const [, kind, id = ''] = PERSON.exec(name) ?? [];
  if (kind === undefined) return view.mayForSome('pay');
  const isRead = view.status().some(({ collection, syncedAt }) => collection === 'persons' && syncedAt !== undefined);
  return !isRead || (view.person(id) !== undefined && (kind === 'address' || view.may(id, 'pay')));
}
