import { Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { DraftVersion } from '../backend/drafts.ts';
import type { BffError } from '../shell/bff.ts';
import { draftOf, useDraftChanges, type Draft } from '../shell/drafts.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { useSession } from '../shell/session.ts';
import { useFocusReturn } from '../shell/use-focus-return.ts';
import { messages } from './messages.ts';
import { ScreenState } from './page.tsx';

/** What a person typed into a form, wherever and whenever that was, as far as it is loaded. */
export function useDraft<Content extends object>(name: string): Draft<Content> {
  useDraftChanges();
  return draftOf<Content>(useSession().user.id, name);
}

interface WithDraftProps {
  readonly name: string;
  /** The outline of the form. */
  readonly skeleton: ReactNode;
  readonly children: ReactNode;
}

/** Loads the draft of a form, and follows what other tabs type. If both typed, it asks. */
export function WithDraft({ name, skeleton, children }: WithDraftProps): ReactNode {
  const { draft: text } = useMessages(messages);
  const format = useFormat();
  const { at, drafts } = useSession().drafts;
  const draft = useDraft(name);
  const { content, other, saved: { savedAt } = {} } = draft;
  const listed = drafts.find((one) => one.name === name)?.savedAt;
  const isOther =
    listed === undefined ? savedAt !== undefined && savedAt < at : savedAt === undefined || savedAt < listed;
  const query = useQuery<null, BffError>({
    queryKey: ['drafts', name, listed],
    queryFn: () => draft.read(),
    // The response to a save of this page may come later than the list.
    enabled: isOther && !draft.isSending,
    gcTime: 0,
  });
  if (isOther && !draft.isKnown) {
    return (
      <ScreenState query={query} skeleton={skeleton}>
        {() => skeleton}
      </ScreenState>
    );
  }
  return (
    <Stack gap="md">
      {draft.state === 'behind' && (
        <Group className="panel" role="alert" p="sm" gap="xs">
          <IconAlertTriangle size={16} aria-hidden />
          <Text flex={1}>{other ? text.changed(format.moment(other.savedAt)) : text.gone}</Text>
          <Button variant="default" size="xs" onClick={() => draft.swap()}>
            {content === other?.content ? text.showMine : text.showOther}
          </Button>
          <Button variant="default" size="xs" onClick={() => draft.keepShown()}>
            {text.keepShown}
          </Button>
        </Group>
      )}
      {children}
    </Stack>
  );
}

/** Says whether what is typed is saved, and discards it. */
export function DraftState({ name }: { readonly name: string }): ReactNode {
  const { draft: text } = useMessages(messages);
  const format = useFormat();
  const { kept, saved, state } = useDraft(name);
  if (kept === undefined && state === 'saved') return null;
  return (
    <Group gap="xs">
      <Text size="xs" c="dimmed" {...(state === 'failed' && { role: 'status', c: 'error' })}>
        {state === 'saved' && saved ? text.saved(format.moment(saved.savedAt)) : text.states[state]}
      </Text>
      {saved && <DiscardButton draft={saved} />}
    </Group>
  );
}

/** Asks once more, as nothing brings a draft back. */
function DiscardButton({ draft }: { readonly draft: DraftVersion }): ReactNode {
  const { draft: text } = useMessages(messages);
  const { user } = useSession();
  const [isAsking, setAsking] = useState(false);
  useFocusReturn();
  return (
    <Button
      variant={isAsking ? 'filled' : 'subtle'}
      {...(isAsking && { color: 'red' })}
      size="compact-sm"
      aria-live="polite"
      onBlur={() => setAsking(false)}
      onClick={() => (isAsking ? draftOf(user.id, draft.name).discard(draft) : setAsking(true))}
    >
      {isAsking ? text.discardForGood : text.discard}
    </Button>
  );
}

const paths = {
  address: (id: string) => `/people/${id}/address`,
  bankDetails: (id: string) => `/people/${id}/bank-details`,
  payment: () => '/payments?view=submit',
  table: (id: string) => `/payments?view=table${id && `&draft=${id}`}`,
};

/** The drafts of the person, to continue or discard. */
export function DraftList({ of }: { readonly of?: (name: string) => boolean }): ReactNode {
  const { draft: text } = useMessages(messages);
  const format = useFormat();
  const { history } = useRouter();
  const drafts = useSession().drafts.drafts.filter(({ name }) => of?.(name) ?? true);
  if (drafts.length === 0) return null;
  return (
    <Stack className="panel" gap={0} px="md" py={4}>
      {drafts.map((draft) => {
        const [kind, id = ''] = draft.name.split(/\/(.*)/) as [keyof typeof paths, string?];
        return (
          <Group key={draft.name} py={4} gap="xs">
            <Text flex="1 1 16rem">
              {text.from(format.moment(draft.savedAt), text.kinds[kind](draft.personName ?? ''))}
            </Text>
            <Button
              variant="default"
              size="compact-sm"
              onClick={() => history.push(paths[kind](encodeURIComponent(id)))}
            >
              {text.continue}
            </Button>
            <DiscardButton draft={draft} />
          </Group>
        );
      })}
    </Stack>
  );
}
