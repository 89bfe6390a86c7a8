import { Anchor, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMessages } from '../shell/locale.tsx';
import { messages as shared } from '../shell/messages.ts';
import { setDraft, type Draft } from './drafts.ts';
import { messages } from './messages.ts';
import { draftAfterFailure, saveDraft } from './save-draft.ts';
import type { EditKind } from './stored-value.ts';

/**
 * Saves a draft and goes back to the person. An address shows there before the service confirms it; bank details are
 * never shown before that.
 */
export function useSave(kind: EditKind, personId: string, key: string): (draft: Draft) => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const text = useMessages(messages);
  const { problems } = useMessages(shared);
  const isOptimistic = kind === 'address';
  const toPerson = async (): Promise<void> =>
    await navigate({ to: '/people/$personId', params: { personId }, ignoreBlocker: true });

  const reportFailure = ({ problem, step }: Draft): void => {
    const id = notifications.show({
      color: 'red',
      autoClose: false,
      title: step === 'unknown' ? text.notConfirmed : text.notSaved[kind],
      message: (
        <Stack gap={4} align="flex-start">
          <Text>{problem && problems[problem.code]}</Text>
          <Anchor
            component="button"
            type="button"
            onClick={() => {
              notifications.hide(id);
              void navigate({ to: '/people/$personId/address', params: { personId } });
            }}
          >
            {text.openForm}
          </Anchor>
        </Stack>
      ),
    });
  };

  return async (draft) => {
    setDraft(key, { ...draft, isSaving: true, problem: undefined });
    if (isOptimistic) void toPerson();
    try {
      const { outcome } = await saveDraft(kind, personId, draft);
      if (!isOptimistic) await toPerson();
      // The new address stays on the screen until the person is read again.
      await client.invalidateQueries();
      setDraft(key, undefined);
      notifications.show({
        message: outcome === 'saved' ? text.saved[kind] : text.notChanged,
      });
    } catch (error) {
      const failed = draftAfterFailure(draft, error);
      setDraft(key, failed);
      if (isOptimistic) reportFailure(failed);
    }
  };
}
