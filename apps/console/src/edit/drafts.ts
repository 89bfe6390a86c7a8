import { useSyncExternalStore } from 'react';
import type { ProblemBody, ProblemCode } from '../backend/problem.ts';
import { sentFields, type Input } from './comparison.ts';
import type { EditKind, Fields, StoredValue } from './stored-value.ts';

/** Input that is not saved yet. */
export interface Draft {
  /** What the person started from. */
  readonly start: StoredValue;
  readonly input: Input;
  readonly step: 'form' | 'review' | 'conflict' | 'unknown';
  readonly isSaving?: boolean;
  /** Whether the form removed spaces from the IBAN. */
  readonly hadSpaces?: boolean;
  /** Why the last save failed. */
  readonly problem?: SaveProblem | undefined;
  /** What is stored now, in a conflict or after an unknown outcome. */
  readonly theirs?: StoredValue | undefined;
  /** Whether what is stored now is what the person entered. */
  readonly isInput?: boolean | undefined;
}

export type SaveProblem = Omit<ProblemBody, 'code'> & { readonly code: ProblemCode | 'offline' };

/** Drafts are in memory, not in the storage of the browser, because they contain personal data. */
const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

/** @param user - The person who edits. Somebody else who signs in later does not see the draft. */
export function draftKey(user: string, kind: EditKind, personId: string): string {
  return JSON.stringify([user, kind, personId]);
}

export function getDraft(key: string): Draft | undefined {
  return drafts.get(key);
}

export function setDraft(key: string, draft: Draft | undefined): void {
  if (draft === undefined) drafts.delete(key);
  else drafts.set(key, draft);
  for (const listener of listeners) listener();
}

export function useDraft(key: string): Draft | undefined {
  return useSyncExternalStore(subscribe, () => drafts.get(key));
}

/**
 * The address that is being saved. A screen shows it at once, and the stored one again if the save fails.
 *
 * @param user - The person who is signed in.
 */
export function usePendingAddress(user: string, personId: string): Fields | undefined {
  const draft = useDraft(draftKey(user, 'address', personId));
  return draft?.isSaving ? sentFields('address', draft.input) : undefined;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
