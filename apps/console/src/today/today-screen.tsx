import { Alert, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconBeach, IconCalendarUser, IconCircleCheck, IconHistory } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Fragment, useId, type ReactNode } from 'react';
import { ChangedValues, useAuthorTexts, useFieldNames } from '../components/changed-values.tsx';
import { DraftList } from '../components/draft.tsx';
import { ButtonLink } from '../components/link.tsx';
import { Page, ScreenState, type EmptyProps } from '../components/page.tsx';
import { today } from '../model/calendar.ts';
import { gapNames } from '../model/gaps.ts';
import { useScreen } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { LabelText } from '../shell/labels.tsx';
import { useLocale, useMessages } from '../shell/locale.tsx';
import { messages as shared } from '../shell/messages.ts';
import { useRole, useSession } from '../shell/session.ts';
import { messages } from './messages.ts';
import type { Part, TodayScreen as Data } from './today-routes.ts';
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
                {data.payments && <PaymentsCard payments={data.payments} />}
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

function Outline(): ReactNode {
  return (
    <div className={classes['columns']}>
      {[
        [8, 5],
        [2, 4, 2],
      ].map((cards) => (
        <div key={cards.length} className={classes['column']}>
          {cards.map((rows, card) => (
            // oxlint-disable-next-line react/no-array-index-key -- cards stay where they are
            <div key={card} className={`panel ${classes['card']}`}>
              <div className={classes['head']}>
                <Skeleton h={16} w={140} />
              </div>
              {Array.from({ length: rows }, (_, row) => (
                <div key={row} className={classes['row']}>
                  <Skeleton h={12} my={5} w={`${35 + ((row * 17) % 30)}%`} />
                  <Skeleton h={12} w={70} />
                </div>
              ))}
            </div>
          ))}
        </div>
      ))}
    </div>
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
        <ButtonLink to="/payments" search={{ state: 'unknown' }}>
          {text.unknownAction}
        </ButtonLink>
      </Stack>
    </Alert>
  );
}

/** Who is away today, and until when. */
function AwayCard({ away, date }: { readonly away: Data['away']; readonly date: string }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { currentAt } = useSession().health;
  const { count = 0, people = [] } = away ?? {};
  const untilOf = (until: string | undefined): string => {
    if (until === undefined) return text.openEnd;
    return until === date ? text.onlyToday : text.until(format.date(until));
  };
  return (
    <Card
      title={text.away}
      count={away && format.number(count)}
      hint={away && text.asOf(format.shortInstant(currentAt))}
      footer={
        count > 0 && (
          <Link to="/absences" search={{ day: date }}>
            {text.awayAll(count, format.number(count))}
          </Link>
        )
      }
    >
      <Rows
        rows={people}
        keyOf={({ id }) => id}
        renderMain={(person) => <PersonLink {...person} />}
        renderDetail={({ key }) =>
          key === undefined ? text.noKey : <LabelText kind="bookingKey" id={key} unnamed={text.key(key)} />
        }
        renderSide={({ until }) => untilOf(until)}
        nothing={{
          icon: <IconBeach size={22} />,
          title: away ? text.awayNone : text.awayReading,
          children: away && text.awayNoneHint,
        }}
      />
    </Card>
  );
}

/** Who changed what. */
function ChangesCard({ changes }: Pick<Data, 'changes'>): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { nameOf, wayOf, operationOf } = useAuthorTexts();
  const namesOf = useFieldNames();
  return (
    <Card title={text.changes} hint={text.changesHint}>
      <PartOf part={changes}>
        {(list) => (
          <Rows
            rows={list}
            keyOf={({ at, operation }) => `${at} ${operation}`}
            renderMain={({ author, operation, changes: count, persons, people, fields, values }) => (
              <>
                <b>{nameOf(author)}</b>{' '}
                <Text span size="sm" c="dimmed">
                  ({wayOf(author)})
                </Text>{' '}
                · {operationOf(operation)}
                {fields.length > 0 && ` (${namesOf(fields)})`}
                {count > 1 && ` (${text.moreTimes(format.number(count))})`}
                {people.length > 0 && ': '}
                <PersonLinks people={people} count={persons} />
                <ChangedValues values={values} />
              </>
            )}
            renderSide={({ at }) => <time dateTime={at}>{format.shortInstant(at)}</time>}
            nothing={{ icon: <IconHistory size={22} />, title: text.changesNone }}
          />
        )}
      </PartOf>
    </Card>
  );
}

/** Payments that wait for their approval. */
function PaymentsCard({ payments }: { readonly payments: NonNullable<Data['payments']> }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const isApprover = useRole('approver');
  const isWaiting = 'value' in payments && payments.value.count > 0;
  return (
    <Card
      title={text.payments}
      footer={
        isWaiting && isApprover ? (
          <ButtonLink to="/payments">{text.decide}</ButtonLink>
        ) : (
          <Link to="/payments">{text.showPayments}</Link>
        )
      }
    >
      <PartOf part={payments}>
        {({ count, oldest }) =>
          count === 0 ? (
            <Nothing icon={<IconCircleCheck size={22} />} title={text.paymentsNone} />
          ) : (
            <div className={classes['figure']}>
              <strong>{format.number(count)}</strong> <span>{text.paymentsWaiting(count)}</span>
              <small>{text.paymentsSince(format.instant(oldest))}</small>
            </div>
          )
        }
      </PartOf>
    </Card>
  );
}

/** Who starts and who leaves soon. */
function StartingCard({ starting, leaving }: Pick<Data, 'starting' | 'leaving'>): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const entries = [
    ...starting.map((person) => ({ ...person, label: text.starts })),
    ...leaving.map((person) => ({ ...person, label: text.leaves })),
  ].toSorted((one, other) => format.compare(one.date, other.date));
  return (
    <Card title={text.starting} hint={text.startingHint}>
      <Rows
        rows={entries}
        keyOf={({ id, label }) => `${id} ${label}`}
        renderMain={(person) => <PersonLink {...person} />}
        renderSide={({ label, date }) => `${label} ${format.date(date)}`}
        nothing={{ icon: <IconCalendarUser size={22} />, title: text.startingNone }}
      />
    </Card>
  );
}

/** Active persons who lack something that somebody should add. */
function MissingCard({ active, gaps }: Data['missing']): ReactNode {
  const names = useMessages(gapNames);
  const text = useMessages(messages);
  const format = useFormat();
  return (
    <Card title={text.missing} hint={text.missingHint(format.number(active))}>
      <Rows
        rows={gaps}
        keyOf={({ gap }) => gap}
        renderMain={({ gap, count, people }) => (
          <>
            <Link to="/people" search={{ missing: gap }}>
              <b>{format.number(count)}</b> {names[gap]}
            </Link>
            : <PersonLinks people={people} count={count} />
          </>
        )}
        nothing={{ icon: <IconCircleCheck size={22} />, title: text.missingNone }}
      />
    </Card>
  );
}

/** Whether the local copy is current. */
function DataCard({ syncs }: Pick<Data, 'syncs'>): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { health, user } = useSession();
  const { state, currentAt } = health;
  const toSystem = user.seesEveryone && <Link to="/system">{text.toSystem}</Link>;
  return (
    <Card title={text.data} hint={text.states[state]} footer={toSystem}>
      <div aria-live="polite">
        <Rows
          rows={syncs}
          keyOf={({ collection }) => collection}
          renderMain={({ collection, error }) => (
            <>
              {text.collections[collection]}
              {error !== undefined && (
                <Text size="sm" c="var(--mantine-color-error)">
                  {text.failedRun(error)}
                </Text>
              )}
            </>
          )}
          renderSide={({ syncedAt, error }) =>
            syncedAt === undefined
              ? text.never
              : text.asOf(format.shortInstant(error === undefined ? currentAt : syncedAt))
          }
        />
      </div>
    </Card>
  );
}

interface CardProps {
  readonly title: string;
  readonly hint?: string | undefined;
  /** A number beside the title. */
  readonly count?: string | undefined;
  /** A link to a screen with more. */
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}

/** A part of the screen, with a heading. */
function Card({ title, hint, count, footer, children }: CardProps): ReactNode {
  const id = useId();
  return (
    <section className={`panel ${classes['card']}`} aria-labelledby={id}>
      <Group justify="space-between" gap="xs" className={classes['head']}>
        <Group gap={8} wrap="nowrap">
          <Title order={2} id={id} size="h3">
            {title}
          </Title>
          {count !== undefined && <span className={classes['count']}>{count}</span>}
        </Group>
        {hint !== undefined && (
          <Text size="xs" c="dimmed">
            {hint}
          </Text>
        )}
      </Group>
      {children}
      {Boolean(footer) && <div className={classes['footer']}>{footer}</div>}
    </section>
  );
}

interface RowsProps<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly renderMain: (row: Row) => ReactNode;
  readonly renderDetail?: (row: Row) => ReactNode;
  /** At the right. */
  readonly renderSide?: (row: Row) => ReactNode;
  /** What the card says without rows. */
  readonly nothing?: EmptyProps;
}

function Rows<Row>({ rows, keyOf, renderMain, renderDetail, renderSide, nothing }: RowsProps<Row>): ReactNode {
  if (rows.length === 0 && nothing) return <Nothing {...nothing} />;
  return (
    <ul className={classes['list']}>
      {rows.map((row) => (
        <li key={keyOf(row)} className={classes['row']}>
          <span className={classes['main']}>{renderMain(row)}</span>
          {renderDetail && <span className={classes['key']}>{renderDetail(row)}</span>}
          {renderSide && <span className={classes['side']}>{renderSide(row)}</span>}
        </li>
      ))}
    </ul>
  );
}

/** What a card says if it has nothing to show. */
function Nothing({ icon, title, children }: EmptyProps): ReactNode {
  return (
    <Group gap="sm" wrap="nowrap" className={classes['nothing']}>
      <span aria-hidden>{icon}</span>
      <div>
        <Text fw={500}>{title}</Text>
        {children !== undefined && (
          <Text size="sm" c="dimmed">
            {children}
          </Text>
        )}
      </div>
    </Group>
  );
}

interface PartOfProps<T> {
  readonly part: Part<T>;
  readonly children: (value: T) => ReactNode;
}

/** What a source knows, or that it does not answer. */
function PartOf<T>({ part, children }: PartOfProps<T>): ReactNode {
  const text = useMessages(messages);
  const { noAnswer, problems } = useMessages(shared);
  if ('value' in part) return children(part.value);
  const { code } = part.problem;
  return (
    <Nothing icon={<IconAlertTriangle size={22} />} title={text.partFailed}>
      {code === 'service-unavailable' ? noAnswer : problems[code]}
    </Nothing>
  );
}

interface LinkedPerson {
  readonly id: string;
  readonly name: string | undefined;
}

function PersonLink({ id, name }: LinkedPerson): ReactNode {
  const text = useMessages(messages);
  return (
    <Link to="/people/$personId" params={{ personId: id }} className={classes['person']}>
      {name ?? text.personWithId(id)}
    </Link>
  );
}

/** The first of several persons, and how many more there are. */
function PersonLinks({
  people,
  count,
}: {
  readonly people: readonly LinkedPerson[];
  readonly count: number;
}): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const more = count - people.length;
  return (
    <>
      {people.map((person, index) => (
        <Fragment key={person.id}>
          {index > 0 && ', '}
          <PersonLink {...person} />
        </Fragment>
      ))}
      {more > 0 && `, ${text.morePeople(format.number(more))}`}
    </>
  );
}
