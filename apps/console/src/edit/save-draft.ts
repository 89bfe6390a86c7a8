import { bff, BffError } from '../shell/bff.ts';
import { sentFields } from './comparison.ts';
import type { Draft, SaveProblem } from './drafts.ts';
import type { CurrentValue, Saved } from './save-change.ts';
import type { EditKind } from './stored-value.ts';

const paths: Readonly<Record<EditKind, string>> = { address: 'address', bankDetails: 'bank-details' };

/** The path of a form below `/bff/`. */
export function editPath(kind: EditKind, personId: string): string {
  return `people/${encodeURIComponent(personId)}/${paths[kind]}`;
}

/** Sends a draft to the backend. */
export async function saveDraft(kind: EditKind, personId: string, { start, input }: Draft): Promise<Saved> {
  const { version } = start;
  const fields = sentFields(kind, input);
  return await bff.post<Saved>(editPath(kind, personId), { version, fields, keepsIban: input.keepsIban });
}

/** The draft after a save that failed, at the step where the person goes on. The input stays. */
export function draftAfterFailure(draft: Draft, error: unknown): Draft {
  const problem: SaveProblem = error instanceof BffError ? error.problem : { code: 'internal', detail: '' };
  const { stored: theirs, isInput } = (problem.current ?? {}) as Partial<CurrentValue>;
  return { ...draft, isSaving: false, step: stepAfter(problem), problem, theirs, isInput };
}

function stepAfter({ code, errors = [] }: SaveProblem): Draft['step'] {
  if (code === 'conflict') return 'conflict';
  if (code === 'outcome-unknown') return 'unknown';
  return errors.length > 0 ? 'form' : 'review';
}
