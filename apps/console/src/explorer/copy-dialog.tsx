import { Button, Group, Modal, Text, Textarea } from '@mantine/core';
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
    <Modal.Root opened onClose={close} size="lg">
      <Modal.Overlay />
      <Modal.Content>
        {/* A header of the library would be a second banner of the page. */}
        <Modal.Body pt="md">
          <Modal.Title component="h2" mb="xs">
            {text.copyYourself}
          </Modal.Title>
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
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
