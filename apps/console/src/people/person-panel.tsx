import { Anchor, Button, CloseButton, Group, Skeleton, Stack, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PersonEssentials } from '../person/person-essentials.tsx';
import { PersonMissing } from '../components/person-missing.tsx';
import type { PersonScreen } from '../person/person-routes.ts';
import { useScreen } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { ScreenState } from '../components/page.tsx';
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
  return (
    <aside className={`panel ${classes['panel']}`} aria-label={query.data ? text.label(query.data.name) : text.loading}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={2}>
            {query.data && !isMissing ? (
              <Anchor
                inherit
                c="inherit"
                renderRoot={(props) => <Link {...props} to="/people/$personId" params={{ personId: id }} />}
              >
                {query.data.name}
              </Anchor>
            ) : (
              text.loading
            )}
          </Title>
          <CloseButton aria-label={text.close} onClick={onClose} />
        </Group>
        {isMissing ? (
          <PersonMissing id={id} />
        ) : (
          <ScreenState query={query} skeleton={<PanelSkeleton />}>
            {(data) => (
              <>
                <PersonEssentials data={data} />
                <Button
                  variant="default"
                  size="xs"
                  renderRoot={(props) => <Link {...props} to="/people/$personId" params={{ personId: id }} />}
                >
                  {text.open}
                </Button>
                {team !== undefined && (
                  <Button
                    variant="default"
                    size="xs"
                    renderRoot={(props) => <Link {...props} to="/people" search={{ manager: id }} />}
                  >
                    {text.team(format.number(team))}
                  </Button>
                )}
              </>
            )}
          </ScreenState>
        )}
      </Stack>
    </aside>
  );
}

function PanelSkeleton(): ReactNode {
  return (
    <Stack gap="sm">
      {[60, 80, 50, 70, 40].map((width) => (
        <Skeleton key={width} h={12} w={`${width}%`} />
      ))}
    </Stack>
  );
}
