import { Spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMessages } from '../web/locale.tsx';
import { messages } from '../web/messages.ts';
import { destinations } from '../web/shell.tsx';

/** The palette that ⌘K or Ctrl-K opens. */
export function Palette(): ReactNode {
  const text = useMessages(messages);
  const navigate = useNavigate();
  const pages = destinations.map(({ path, name, Icon }) => ({
    id: path,
    label: text[name],
    leftSection: <Icon size={18} aria-hidden />,
    onClick: () => void navigate({ to: path }),
  }));
  return (
    <Spotlight
      actions={[{ group: text.pages, actions: pages }]}
      nothingFound={text.nothingFound}
      shortcut={['mod + K']}
      tagsToIgnore={[]}
      highlightQuery
      attributes={{ content: { 'aria-label': text.search } }}
      searchProps={{ placeholder: text.search, 'aria-label': text.search }}
    />
  );
}
