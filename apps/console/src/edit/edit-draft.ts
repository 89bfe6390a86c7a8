import { useMutationState } from '@tanstack/react-query';
import type { BffError } from '../shell/bff.ts';
import { sentFields, type Input } from './comparison.ts';
import type { Fields, StoredValue } from './stored-value.ts';

/** Input that is not saved yet. */
export interface EditDraft {
  /** What the person started from. */
  readonly start: StoredValue;
  readonly input: Input;
  readonly step: 'form' | 'review' | 'conflict';
  /** Why the last save failed. */
  readonly problem?: BffError['problem'] | undefined;
}

/** The address that is being saved. A screen shows it at once, and the stored one again if the save fails. */
export function usePendingAddress(personId: string): Fields | undefined {
  const [draft] = useMutationState({
    filters: { mutationKey: ['address', personId], status: 'pending' },
    select: ({ state }) => state.variables as EditDraft,
  });
  return draft && sentFields('address', draft.input);
}
