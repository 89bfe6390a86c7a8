import { Alert, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import { messages as shared } from '../shell/messages.ts';
import type { SaveProblem } from './drafts.ts';
import { messages } from './messages.ts';

interface SaveFailureProps {
  readonly problem: SaveProblem;
  /** Places that the form does not have. */
  readonly other: readonly string[];
}

/** Why a save failed, and what becomes of the input. */
export function SaveFailure({ problem, other }: SaveFailureProps): ReactNode {
  const { problems, requestId } = useMessages(shared);
  const text = useSaveProblemText(problem);
  return (
    <Alert role="alert" color="red" variant="outline" icon={<IconAlertTriangle />} title={problems[problem.code]}>
      <Stack gap={4}>
        <Text>{text}</Text>
        {other.map((place) => (
          <Text key={place}>{place}</Text>
        ))}
        {problem.requestId !== undefined && <Text c="dimmed">{requestId(problem.requestId)}</Text>}
      </Stack>
    </Alert>
  );
}

function useSaveProblemText({ code }: SaveProblem): string {
  const text = useMessages(messages);
  if (code === 'signed-out') return text.sessionEnded;
  // The request may have reached the console before the connection broke.
  return code === 'offline' || code === 'internal' ? text.noConnection : text.keepsInput;
}
