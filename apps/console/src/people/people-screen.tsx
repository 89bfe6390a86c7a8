import { searchWords } from '@hr/client/search';
import { Button, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconDownload, IconUserSearch, IconUsers } from '@tabler/icons-react';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useMemo, useRef, type ReactNode } from 'react';
import { bff, BffError } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useLabels } from '../shell/labels.tsx';
import { useLocale, useMessages } from '../shell/locale.tsx';
import { messages as shared } from '../shell/messages.ts';
import { focusGrid, GridOutline } from '../components/grid.tsx';
import { Empty, Page, ScreenState } from '../components/page.tsx';
import { teamChoices } from '../model/team.ts';
import { noTeam, useSearchOf, useTyped } from '../shell/search.ts';
import { useSession } from '../shell/session.ts';
import { directoryOf, filterPeople, type ListedPerson } from './directory.ts';
import { messages } from './messages.ts';
import { PeopleFilters } from './people-filters.tsx';
import { PeopleGrid } from './people-grid.tsx';
import type { PeopleExport } from './people-routes.ts';
import classes from './people-screen.module.css';
import { SEARCH_FRAGMENT, type PeopleSearch } from './people-search.ts';
import { useMissing, usePeople } from './use-people.ts';
import { PersonPanel } from './person-panel.tsx';
import { saveFile } from '../components/save-file.ts';

const noPeople: readonly ListedPerson[] = [];

/** The directory. */
export function PeopleScreen(): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { nameOf } = useLabels();
  const query = usePeople();
  const { currentAt } = useSession().health;
  const [search, change] = useSearchOf<PeopleSearch>();
  const [typed, setTyped] = useTyped(search.q ?? '', (q) => change({ q: q || undefined }));
  const input = useSearchField();
  const close = (): void => {
    change({ person: undefined });
    focusGrid();
  };
  useHotkeys([['Escape', () => search.person !== undefined && close()]]);

  const q = useDeferredValue(typed);
  const all = query.data ? directoryOf(query.data.rows) : noPeople;
  const choices = useMemo(() => teamChoices(all), [all]);
  const { missing } = search;
  const lacking = useMissing(missing);
  const people = useMemo(() => {
    const ids = new Set(lacking.data);
    const some = missing === undefined ? all : all.filter(({ id }) => ids.has(id));
    return filterPeople(some, { ...search, q }, format.compare, (id) => nameOf('group', id));
  }, [all, missing, lacking.data, q, search, format, nameOf]);
  const words = useMemo(() => searchWords(q), [q]);
  const clear = (): void => {
    setTyped('');
    change({ ...noTeam, q: undefined, missing: undefined });
    input.current?.focus();
  };

  return (
    <Page
      title={text.title}
      description={currentAt && text.currentAt(format.shortInstant(currentAt))}
      actions={all.length > 0 && <ExportButton people={people} />}
      request={{ operation: 'listPersons' }}
    >
      <ScreenState<unknown> query={missing === undefined || lacking.data ? query : lacking} skeleton={<GridOutline />}>
        {() =>
          all.length === 0 && currentAt === undefined ? (
            <div aria-busy="true">
              <GridOutline />
            </div>
          ) : all.length === 0 ? (
            <Empty icon={<IconUsers size={32} />} title={text.nobody}>
              {text.nobodyHelp}
            </Empty>
          ) : (
            <Stack gap="sm">
              <PeopleFilters
                choices={choices}
                search={search}
                typed={typed}
                input={input}
                onType={setTyped}
                onChange={change}
                onLeave={focusGrid}
              >
                <Text c="dimmed" component="output" ml="auto" ta="right" style={{ alignSelf: 'center' }}>
                  {text.count(format.number(people.length), format.number(all.length))}
                </Text>
              </PeopleFilters>
              <div className={classes['split']} data-panel={search.person !== undefined}>
                {people.length === 0 ? (
                  <Empty icon={<IconUserSearch size={32} />} title={text.noMatch}>
                    <Stack align="center" gap="sm">
                      {text.noMatchHelp}
                      <Button variant="default" size="xs" onClick={clear}>
                        {text.clear}
                      </Button>
                    </Stack>
                  </Empty>
                ) : (
                  <PeopleGrid people={people} words={words} search={search} change={change} />
                )}
                {search.person !== undefined && (
                  <PersonPanel
                    id={search.person}
                    team={choices.manager.find(({ value }) => value === search.person)?.count}
                    onClose={close}
                  />
                )}
              </div>
            </Stack>
          )
        }
      </ScreenState>
    </Page>
  );
}

/** The search field, which takes the focus on `/` and when the palette asks for it. */
function useSearchField(): { readonly current: HTMLInputElement | null } {
  const input = useRef<HTMLInputElement>(null);
  useHotkeys([['/', () => input.current?.focus()]]);
  const location = useLocation();
  useEffect(() => {
    if (location.hash !== SEARCH_FRAGMENT) return undefined;
    // After the palette has closed, which returns the focus to where it was.
    const timer = setTimeout(() => input.current?.focus());
    return () => clearTimeout(timer);
  }, [location]);
  return input;
}

function ExportButton({ people }: { readonly people: readonly ListedPerson[] }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { locale } = useLocale();
  const { problems } = useMessages(shared);
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const ids = people.map(({ id }) => id);
      const { csv } = await bff.post<PeopleExport>('people/csv', { ids, locale });
      const today = new Date().toLocaleDateString('sv-SE');
      saveFile(`${text.fileName}-${today}.csv`, csv);
      notifications.show({ message: text.exported });
    },
    onError: (error) =>
      notifications.show({
        color: 'red',
        message: problems[error instanceof BffError ? error.problem.code : 'internal'],
      }),
  });
  return (
    <Button
      variant="default"
      size="xs"
      disabled={people.length === 0}
      loading={isPending}
      leftSection={<IconDownload size={14} aria-hidden />}
      onClick={() => mutate()}
    >
      {text.export(format.number(people.length))}
    </Button>
  );
}
