import { Group, Skeleton, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Fragment, useId, type ReactNode } from 'react';
import type { EmptyProps } from '../components/page.tsx';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages as shared } from '../shell/messages.ts';
import { messages } from './messages.ts';
import type { Part } from './today-routes.ts';
import classes from './today.module.css';

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
export function Card({ title, hint, count, footer, children }: CardProps): ReactNode {
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

/** What a card says if it has nothing to show. */
export function Nothing({ icon, title, children }: EmptyProps): ReactNode {
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

/** What a source knows, or that it does not answer. */
export function PartOf<T>({
  part,
  children,
}: {
  readonly part: Part<T>;
  readonly children: (value: T) => ReactNode;
}): ReactNode {
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

interface Linked {
  readonly id: string;
  readonly name: string | undefined;
}

/** A person, as a link. */
export function PersonLink({ id, name }: Linked): ReactNode {
  const text = useMessages(messages);
  return (
    <Link to="/people/$personId" params={{ personId: id }} className={classes['person']}>
      {name ?? text.personWithId(id)}
    </Link>
  );
}

/** The first of several persons, and how many more there are. */
export function PersonLinks({
  people,
  count,
}: {
  readonly people: readonly Linked[];
  readonly count: number;
}): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const more = count - people.length;
  return (
    <>
      {people.map(({ id, name }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <PersonLink id={id} name={name} />
        </Fragment>
      ))}
      {more > 0 && `, ${text.morePeople(format.number(more))}`}
    </>
  );
}

/** The outline of the cards. */
export function CardSkeleton({ rows }: { readonly rows: number }): ReactNode {
  return (
    <div className={`panel ${classes['card']}`}>
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
  );
}
