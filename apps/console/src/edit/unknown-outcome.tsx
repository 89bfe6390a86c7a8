import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { bff } from '../shell/bff.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages as shared } from '../shell/messages.ts';
import { Failure } from '../components/page.tsx';
import { compare } from './comparison.ts';
import type { Draft } from './drafts.ts';
import { messages } from './messages.ts';
import { ComparisonTable } from './review.tsx';
import { editPath } from './save-draft.ts';
import type { EditKind, EditScreen, StoredValue } from './stored-value.ts';

interface UnknownOutcomeProps {
  readonly kind: EditKind;
  readonly personId: string;
  readonly draft: Draft;
  readonly onRead: (stored: StoredValue) => void;
  readonly onReview: (stored: StoredValue) => void;
  readonly onDone: () => void;
}

/** What is stored after a save whose outcome is not known. */
export function UnknownOutcome({ kind, personId, draft, onRead, onReview, onDone }: UnknownOutcomeProps): ReactNode {
  const { unknown: text, conflict, done } = useMessages(messages);
  const { requestId } = useMessages(shared);
  const [error, setError] = useState<unknown>();
  const [isReading, setReading] = useState(false);
  const { theirs, isInput, problem } = draft;

  const read = async (): Promise<void> => {
    setReading(true);
    setError(undefined);
    try {
      onRead((await bff.get<EditScreen>(editPath(kind, personId), { fresh: true })).stored);
    } catch (failure) {
      setError(failure);
    } finally {
      setReading(false);
    }
  };

  const state = isInput ? text.isStored : text.isNotStored;
  return (
    <Stack gap="md">
      <Alert variant="default" icon={<IconAlertTriangle />} role="alert">
        <Stack gap={4}>
          <Text>{text.intro}</Text>
          {!(theirs && isInput === undefined) && <Text fw={600}>{theirs ? state : text.unreadable}</Text>}
          {problem?.requestId !== undefined && <Text c="dimmed">{requestId(problem.requestId)}</Text>}
        </Stack>
      </Alert>
      {theirs && (
        <div className="panel">
          <ComparisonTable
            caption={text.caption}
            before={conflict.theirs}
            after={conflict.mine}
            rows={compare(kind, theirs, draft.input)}
          />
        </div>
      )}
      {error !== undefined && <Failure error={error} isRead />}
      <Group gap="xs">
        {theirs && !isInput && <Button onClick={() => onReview(theirs)}>{text.saveAgain}</Button>}
        <Button variant="default" loading={isReading} onClick={() => void read()}>
          {text.readAgain}
        </Button>
        <Button variant="default" onClick={onDone}>
          {done}
        </Button>
      </Group>
    </Stack>
  );
}
