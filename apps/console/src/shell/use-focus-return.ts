import { useEffect, useState } from 'react';

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
    return () => queueMicrotask(giveBack);
  }, [opener]);
}
