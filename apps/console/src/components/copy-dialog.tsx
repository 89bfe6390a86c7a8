import { Button, Group, Text, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';

interface CopyDialogProps {
  readonly content: string;
  readonly close: () => void;
}

/** Shows a text to copy by hand, because the browser refused the clipboard. */
export function CopyDialog({ content, close }: CopyDialogProps): ReactNode {
  const text = useMessages(messages);
  return (
    <Dialog title={text.copyYourself} size="lg" close={close}>
      <Text mb="sm">{text.copyKey}</Text>
      <Textarea
        aria-label={text.copyYourself}
        value={content}
        readOnly
        autosize
        data-autofocus
        onFocus={({ currentTarget }) => currentTarget.select()}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close}>
          {text.close}
        </Button>
      </Group>
    </Dialog>
  );
}
