import { Button, Group, Modal, type MantineSize } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import { messages } from '../shell/messages.ts';
import { useFocusReturn } from '../shell/use-focus-return.ts';

interface DialogProps {
  readonly title: string;
  readonly size?: MantineSize;
  readonly close: () => void;
  /** What the dialog is for. Beside its button is one that does nothing, which has the focus at first. */
  readonly action?: {
    readonly label: string;
    readonly run: () => void;
    readonly isBusy?: boolean;
    readonly isDisabled?: boolean;
  };
  readonly children: ReactNode;
}

/** A dialog that is open while it is rendered. */
export function Dialog({ title, size = 'md', close, action, children }: DialogProps): ReactNode {
  const { cancel } = useMessages(messages);
  useFocusReturn();
  return (
    <Modal.Root opened onClose={close} size={size}>
      <Modal.Overlay />
      <Modal.Content>
        {/* A header of the component library would be a second banner of the page. */}
        <Modal.Body pt="md">
          <Modal.Title fw={600} mb="md">
            {title}
          </Modal.Title>
          {children}
          {action && (
            <Group justify="flex-end" mt="md">
              <Button variant="default" onClick={close} data-autofocus>
                {cancel}
              </Button>
              <Button loading={action.isBusy ?? false} disabled={action.isDisabled ?? false} onClick={action.run}>
                {action.label}
              </Button>
            </Group>
          )}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
