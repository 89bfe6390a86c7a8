import { CloseButton, Group, Skeleton, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { ButtonLink, PersonLink } from '../components/link.tsx';
import { ScreenState } from '../components/page.tsx';
import { PersonMissing } from '../components/person-missing.tsx';
import { PersonEssentials } from '../person/person-essentials.tsx';
import type { PersonScreen } from '../person/person-routes.ts';
import { useScreen } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';
import classes from './people-screen.module.css';

interface PersonPanelProps {
  readonly id: string;
  /** How many report to the person, also through others. */
  readonly team: number | undefined;
  readonly onClose: () => void;
}

/** What a clerk asks about a person most, beside the list. */
export function PersonPanel({ id, team, onClose }: PersonPanelProps): ReactNode {
  const text = useMessages(messages).panel;
  const format = useFormat();
  const query = useScreen<PersonScreen>(`people/${encodeURIComponent(id)}`, {}, { kinds: ['persons'] });
  const isMissing = query.error?.problem.code === 'not-found';
  const name = isMissing ? undefined : query.data?.name;
  return (
    <aside className={`panel ${classes['panel']}`} aria-label={name === undefined ? text.loading : text.label(name)}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={2}>
            {name === undefined ? (
              text.loading
            ) : (
              <PersonLink id={id} c="inherit">
                {name}
              </PersonLink>
            )}
          </Title>
          <CloseButton aria-label={text.close} onClick={onClose} />
        </Group>
        {isMissing ? (
          <PersonMissing id={id} />
        ) : (
          <ScreenState
            query={query}
            skeleton={[60, 80, 50, 70, 40].map((width) => (
              <Skeleton key={width} h={12} w={`${width}%`} mb="sm" />
            ))}
          >
            {(data) => (
              <>
                <PersonEssentials data={data} />
                <ButtonLink variant="default" to="/people/$personId" params={{ personId: id }}>
                  {text.open}
                </ButtonLink>
                {team !== undefined && (
                  <ButtonLink variant="default" to="/people" search={{ manager: id }}>
                    {text.team(format.number(team))}
                  </ButtonLink>
                )}
              </>
            )}
          </ScreenState>
        )}
      </Stack>
    </aside>
  );
}
