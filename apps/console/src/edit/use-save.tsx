import { notifications } from '@mantine/notifications';
import { useMutation, useMutationState, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { bff, BffError } from '../shell/bff.ts';
import type { Draft } from '../shell/drafts.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages as shared } from '../shell/messages.ts';
import { sentFields, type Input } from './comparison.ts';
import { messages } from './messages.ts';
import type { Saved } from './save-change.ts';
import type { EditKind, Fields, StoredValue } from './stored-value.ts';

/** Input that is not saved yet. */
export interface EditDraft {
  /** What the person started from. */
  readonly start: StoredValue;
  readonly input: Input;
  readonly step: 'form' | 'review' | 'conflict';
  /** Why the last save failed. */
  readonly problem?: BffError['problem'] | undefined;
}

const paths: Readonly<Record<EditKind, string>> = { address: 'address', bankDetails: 'bank-details' };

/** The path of a form below `/bff/`. */
export function editPath(kind: EditKind, personId: string): string {
  return `people/${encodeURIComponent(personId)}/${paths[kind]}`;
}

/**
 * Saves a draft and goes back to the person. An address shows there before the service confirms it; bank details are
 * never shown before that. After a failure, the draft is at the step where the person goes on.
 */
export function useSave(
  kind: EditKind,
  personId: string,
  form: Draft<EditDraft>,
): UseMutationResult<Saved, Error, EditDraft> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const text = useMessages(messages);
  const { problems } = useMessages(shared);
  const id = `${kind}/${personId}`;
  const path = editPath(kind, personId);
  const isOptimistic = kind === 'address';
  const toPerson = async (): Promise<void> => await navigate({ to: '/people/$personId', params: { personId } });

  return useMutation<Saved, Error, EditDraft>({
    mutationKey: [kind, personId],
    mutationFn: async ({ start: { version }, input }) => {
      const change = { version, fields: sentFields(kind, input), keepsIban: input.keepsIban };
      return await bff.post(path, { ...change, draft: await form.settle() });
    },
    onMutate: () => {
      notifications.hide(id);
      if (isOptimistic) void toPerson();
    },
    onSuccess: async ({ outcome }) => {
      if (!isOptimistic) await toPerson();
      form.forget();
      // The new address stays on the screen until the person is read again.
      await client.invalidateQueries();
      notifications.show({ message: outcome === 'saved' ? text.saved[kind] : text.notChanged });
    },
    onError: async (error, draft) => {
      const problem = error instanceof BffError ? error.problem : { code: 'internal' as const, detail: '' };
      const isFaulty = problem.errors !== undefined && problem.errors.length > 0;
      // What is stored now.
      await client.refetchQueries({ queryKey: [path] });
      form.change({ ...draft, problem, step: problem.code === 'conflict' ? 'conflict' : isFaulty ? 'form' : 'review' });
      if (!isOptimistic) return;
      const title = problem.code === 'outcome-unknown' ? text.notConfirmed : text.notSaved;
      notifications.show({ id, color: 'red', autoClose: false, title, message: problems[problem.code] });
    },
  });
}

/** The address that is being saved. A screen shows it at once, and the stored one again if the save fails. */
export function usePendingAddress(personId: string): Fields | undefined {
  const [draft] = useMutationState({
    filters: { mutationKey: ['address', personId], status: 'pending' },
    select: ({ state }) => state.variables as EditDraft,
  });
  return draft && sentFields('address', draft.input);
}
