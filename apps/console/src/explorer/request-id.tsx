import { ActionIcon, CopyButton, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';

/** The service's id of a request, which an operator finds in the log, with a button that copies it. */
export function RequestId({ id }: { readonly id: string }): ReactNode {
  const text = useMessages(messages);
  return (
    <Group gap={4} wrap="nowrap">
      <Text size="xs" c="dimmed" ff="monospace" truncate title={id}>
        {id}
      </Text>
      <CopyButton value={id}>
        {({ copied, copy }) => (
          <>
            <ActionIcon variant="subtle" color="gray" size={24} onClick={copy} aria-label={text.copyRequestId}>
              {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
            </ActionIcon>
            {/* A list has hundreds of them: an alert is announced without a live region that waits for it. */}
            {copied && <VisuallyHidden role="alert">{text.requestIdCopied}</VisuallyHidden>}
          </>
        )}
      </CopyButton>
    </Group>
  );
}

const sign = { size: 14, stroke: 2.5, style: { verticalAlign: '-2px' }, 'aria-hidden': true };

/** The status of a response. A failure has a sign beside its colour. */
export function StatusText({ status }: { readonly status: number | undefined }): ReactNode {
  const text = useMessages(messages);
  const isOk = status !== undefined && status < 400;
  return (
    <Text component="span" fw={600} c={isOk ? 'var(--mantine-color-text)' : 'var(--mantine-color-error)'}>
      {isOk ? <IconCheck {...sign} /> : <IconX {...sign} />} {status ?? text.noResponse}
    </Text>
  );
}
