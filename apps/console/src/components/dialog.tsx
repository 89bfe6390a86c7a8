import { Modal, type MantineSize } from '@mantine/core';
import type { ReactNode } from 'react';
import { useFocusReturn } from '../shell/use-focus-return.ts';

interface DialogProps {
  readonly title: string;
  readonly size?: MantineSize;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** A dialog that is open while it is rendered. */
export function Dialog({ title, size = 'md', close, children }: DialogProps): ReactNode {
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
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
