import { Anchor } from '@mantine/core';
import { IconUserOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import { Empty } from './page.tsx';
import { messages } from './messages.ts';

/** Says that a person was deleted, or never existed. */
export function PersonMissing({ id }: { readonly id: string }): ReactNode {
  const { missing } = useMessages(messages);
  return (
    <Empty icon={<IconUserOff size={32} />} title={missing.title}>
      {missing.text(id)}{' '}
      <Anchor inherit underline="always" renderRoot={(props) => <Link {...props} to="/people" />}>
        {missing.link}
      </Anchor>
    </Empty>
  );
}
