import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { today } from '../model/calendar.ts';
import { useScreen } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useLocale, useMessages } from '../shell/locale.tsx';
import { DraftList } from '../components/draft.tsx';
import { Page, ScreenState } from '../components/page.tsx';
import { AwayCard } from './away-card.tsx';
import { CardSkeleton } from './card.tsx';
import { ChangesCard } from './changes-card.tsx';
import { DataCard, MissingCard } from './data-cards.tsx';
import { messages } from './messages.ts';
import { PaymentsCard } from './payments-card.tsx';
import { StartingCard } from './starting-card.tsx';
import type { TodayScreen as Data } from './today-routes.ts';
import classes from './today.module.css';

export function TodayScreen(): ReactNode {
  const text = useMessages(messages);
  const { locale } = useLocale();
  const fullDate = new Intl.DateTimeFormat(locale === 'de' ? 'de' : 'en-GB', { dateStyle: 'full', timeZone: 'UTC' });
  const date = today();
  const query = useScreen<Data>('today', { date });
  return (
    <Page title={text.title} description={fullDate.format(new Date(date))}>
      <ScreenState query={query} skeleton={<Outline />}>
        {(data) => (
          <Stack gap="md">
            <DraftList />
            {data.unknownPayments.count > 0 && <UnknownPayments {...data.unknownPayments} />}
            <div className={classes['columns']}>
              <div className={classes['column']}>
                <AwayCard away={data.away} date={date} />
                <ChangesCard changes={data.changes} />
              </div>
              <div className={classes['column']}>
                <PaymentsCard payments={data.payments} />
                <StartingCard starting={data.starting} leaving={data.leaving} />
                <MissingCard {...data.missing} />
                <DataCard syncs={data.syncs} />
              </div>
            </div>
          </Stack>
        )}
      </ScreenState>
    </Page>
  );
}

/** The one thing on this screen that cannot wait: somebody could pay twice. */
function UnknownPayments({ count, oldest }: Data['unknownPayments']): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  return (
    <Alert color="red" variant="outline" icon={<IconAlertTriangle />} title={text.unknown(count, format.number(count))}>
      <Stack gap="xs" align="flex-start">
        <Text>{text.unknownHint(format.instant(oldest))}</Text>
        <Button size="xs" renderRoot={(props) => <Link to="/payments" search={{ state: 'unknown' }} {...props} />}>
          {text.unknownAction}
        </Button>
      </Stack>
    </Alert>
  );
}

function Outline(): ReactNode {
  return (
    <div className={classes['columns']}>
      <div className={classes['column']}>
        <CardSkeleton rows={8} />
        <CardSkeleton rows={5} />
      </div>
      <div className={classes['column']}>
        <CardSkeleton rows={2} />
        <CardSkeleton rows={4} />
        <CardSkeleton rows={2} />
      </div>
    </div>
  );
}
