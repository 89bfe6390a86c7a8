import { Spotlight } from '@mantine/spotlight';
import type { ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';
import { PaletteSearch } from './palette-search.tsx';

/** The palette that ⌘K or Ctrl-K opens. It reads the directory when it opens first. */
export function Palette(): ReactNode {
  const text = useMessages(messages);
  return (
    <Spotlight.Root
      shortcut={['mod + K']}
      tagsToIgnore={[]}
      overlayProps={{ blur: 0 }}
      attributes={{ content: { 'aria-label': text.dialog } }}
    >
      <PaletteSearch />
    </Spotlight.Root>
  );
}
