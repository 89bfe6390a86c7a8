import { Modal } from '@mantine/core';
import type { MantineSize } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';

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

/**
 * Gives the focus back when what is open is removed: the component library does so only for what stays rendered.
 * If the button that opened it is gone, the dialog below it or the title of the screen gets the focus.
 */
export function useFocusReturn(): void {
  const [opener] = useState(() => document.activeElement);
  useEffect(() => {
    const giveBack = (): void => {
      if (document.activeElement !== document.body) return;
      const places = document.querySelectorAll<HTMLElement>('#content h1, [role=dialog]');
      const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
      (isThere ? opener : [...places].at(-1))?.focus({ preventScroll: true });
    };
    // The browser takes the focus from what is gone only afterwards.
    return () => void setTimeout(giveBack);
  }, [opener]);
}
