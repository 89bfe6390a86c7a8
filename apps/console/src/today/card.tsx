import { Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import type { ReactNode } from 'react';
import { BffError } from '../web/bff.ts';
import { Failure } from '../web/page.tsx';
import type { EmptyProps } from '../web/page.tsx';
import { useMessages } from '../web/locale.tsx';
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
  if ('value' in part) return children(part.value);
  return (
    <Stack p="md" gap="xs">
      <Failure error={new BffError(part.problem)} />
      <Text size="sm" c="dimmed">
        {text.partFailed}
      </Text>
    </Stack>
  );
}

/** A person, as a link. */
export function PersonLink({ id, name }: { readonly id: string; readonly name: string | undefined }): ReactNode {
  const text = useMessages(messages);
  return (
    <Link to="/people/$personId" params={{ personId: id }} className={classes['person']}>
      {name ?? text.personWithId(id)}
    </Link>
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
          <Skeleton h={12} w={`${35 + ((row * 17) % 30)}%`} />
          <Skeleton h={12} w={70} />
        </div>
      ))}
    </div>
  );
}
