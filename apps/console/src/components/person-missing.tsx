import { IconUserOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import { AnchorLink } from './link.tsx';
import { messages } from './messages.ts';
import { Empty } from './page.tsx';

/** Says that a person was deleted, or never existed. */
export function PersonMissing({ id }: { readonly id: string }): ReactNode {
  const { missing } = useMessages(messages);
  return (
    <Empty icon={<IconUserOff size={32} />} title={missing.title}>
      {missing.text(id)}{' '}
      <AnchorLink underline="always" to="/people">
        {missing.link}
      </AnchorLink>
    </Empty>
  );
}
