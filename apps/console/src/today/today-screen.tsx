import { Skeleton, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useScreen } from '../web/bff.ts';
import { useMessages } from '../web/locale.tsx';
import { messages } from '../web/messages.ts';
import { Page, ScreenState } from '../web/page.tsx';
import type { TodayScreen as Data } from './today-routes.ts';

export function TodayScreen(): ReactNode {
  const text = useMessages(messages);
  const query = useScreen<Data>('today');
  return (
    <Page title={text.today}>
      <ScreenState query={query} skeleton={<Skeleton h={200} />}>
        {(data) => <Text>{data.persons}</Text>}
      </ScreenState>
    </Page>
  );
}
