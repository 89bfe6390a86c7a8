import { Button, Group, Modal, Text, Textarea, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMessages } from '../web/locale.tsx';
import { messages } from './messages.ts';

interface CopyDialogProps {
  readonly content: string;
  readonly close: () => void;
}

/** Shows a text to copy by hand, because the browser refused the clipboard. */
export function CopyDialog({ content, close }: CopyDialogProps): ReactNode {
  const text = useMessages(messages);
  return (
    // Its own header would be a second banner of the page.
    <Modal opened onClose={close} withCloseButton={false} size="lg" aria-labelledby="copy-title">
      <Title order={2} id="copy-title" mb="xs">
        {text.copyYourself}
      </Title>
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
        <Button variant="default" size="xs" onClick={close}>
          {text.close}
        </Button>
      </Group>
    </Modal>
  );
}
