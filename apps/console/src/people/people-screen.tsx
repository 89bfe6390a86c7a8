import { searchWords } from '@hr/client/search';
import { Button, CloseButton, Stack, Text, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch, IconUserSearch, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useMemo, useRef, type ReactNode } from 'react';
import { FilterSelect } from '../components/filter-select.tsx';
import { focusGrid, Grid, GridOutline, type GridColumn } from '../components/grid.tsx';
import { Highlight } from '../components/highlight.tsx';
import { DownloadButton } from '../components/link.tsx';
import { Empty, Page, ScreenState, useCurrentAt } from '../components/page.tsx';
import { personTexts } from '../components/person-texts.ts';
import { StatusLabel } from '../components/status-label.tsx';
import { TeamFilters } from '../components/team-filters.tsx';
import { today } from '../model/calendar.ts';
import { gapNames, gaps } from '../model/gaps.ts';
import { useSees } from '../shell/session.ts';
import { teamChoices } from '../model/team.ts';
import { bff, type BffError } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useLabels } from '../shell/labels.tsx';
import { useLocale, useMessages } from '../shell/locale.tsx';
import { noTeam, useSearchOf, useTyped } from '../shell/search.ts';
import { filterPeople, type ListedPerson } from './directory.ts';
import { messages } from './messages.ts';
import classes from './people-screen.module.css';
import type { SortKey } from '../model/addresses.ts';
import { SEARCH_FRAGMENT, type PeopleSearch } from './people-search.ts';
import { PersonPanel } from './person-panel.tsx';
import { usePeople } from './use-people.ts';

const noPeople: readonly ListedPerson[] = [];

/** The directory. */
export function PeopleScreen(): ReactNode {
  const text = useMessages(messages);
  const gapTexts = useMessages(gapNames);
  const seesPay = useSees('pay');
  const format = useFormat();
  const { locale } = useLocale();
  const { nameOf } = useLabels();
  const query = usePeople();
  const currentAt = useCurrentAt();
  const [search, change] = useSearchOf<PeopleSearch>();
  const [typed, setTyped] = useTyped(search.q ?? '', (q) => change({ q: q || undefined }));
  const input = useSearchField();
  const close = (): void => {
    change({ person: undefined });
    focusGrid();
  };
  useHotkeys([['Escape', () => search.person !== undefined && close()]]);

  const q = useDeferredValue(typed);
  const all = query.data?.rows ?? noPeople;
  const choices = useMemo(() => teamChoices(all), [all]);
  const { person: shown, missing, ...filter } = search;
  const date = today();
  // The ids of the active persons who lack something.
  const lacking = useQuery<readonly string[], BffError>({
    queryKey: ['missing', { missing, date }],
    enabled: missing !== undefined,
    queryFn: async ({ client, queryKey }) =>
      await bff.get('missing', { missing, date }, client.getQueryState(queryKey)?.isInvalidated),
  });
  const people = useMemo(() => {
    const ids = new Set(lacking.data);
    const some = missing === undefined ? all : all.filter(({ id }) => ids.has(id));
    return filterPeople(some, { ...search, q }, format.compare, (id) => nameOf('group', id));
  }, [all, missing, lacking.data, q, search, format, nameOf]);

  return (
    <Page
      title={text.title}
      description={currentAt}
      actions={
        people.length > 0 && (
          <DownloadButton path="people/csv" query={{ ...filter, q, missing, date, locale }}>
            {text.export(format.number(people.length))}
          </DownloadButton>
        )
      }
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
              <search className="filters">
                <TextInput
                  ref={input}
                  size="xs"
                  w={280}
                  value={typed}
                  aria-label={text.searchLabel}
                  aria-keyshortcuts="/"
                  placeholder={text.searchPlaceholder}
                  autoComplete="off"
                  spellCheck={false}
                  leftSection={<IconSearch size={14} aria-hidden />}
                  rightSection={
                    typed !== '' && (
                      <CloseButton
                        size="xs"
                        aria-label={text.clearSearch}
                        onClick={() => {
                          setTyped('');
                          input.current?.focus();
                        }}
                      />
                    )
                  }
                  onChange={(event) => setTyped(event.currentTarget.value)}
                  onKeyDown={(event) => {
                    if (event.key === 'ArrowDown' || event.key === 'Enter') {
                      event.preventDefault();
                      focusGrid();
                    }
                  }}
                />
                <TeamFilters choices={choices} filter={search} change={change} hidesLabels />
                <FilterSelect
                  label={text.missing}
                  hidesLabel
                  all={text.nothingMissing}
                  choices={gaps.flatMap((value) =>
                    value === 'bankDetails' && !seesPay ? [] : { value, label: gapTexts[value] },
                  )}
                  value={missing}
                  onChange={(value) => change({ missing: gaps.find((gap) => gap === value) })}
                />
                <Text c="dimmed" component="output" ml="auto" ta="right" style={{ alignSelf: 'center' }}>
                  {text.count(format.number(people.length), format.number(all.length))}
                </Text>
              </search>
              <div className={classes['split']} data-panel={shown !== undefined}>
                {people.length === 0 ? (
                  <Empty icon={<IconUserSearch size={32} />} title={text.noMatch}>
                    <Stack align="center" gap="sm">
                      {text.noMatchHelp}
                      <Button
                        variant="default"
                        size="xs"
                        onClick={() => {
                          setTyped('');
                          change({ ...noTeam, q: undefined, missing: undefined });
                          input.current?.focus();
                        }}
                      >
                        {text.clear}
                      </Button>
                    </Stack>
                  </Empty>
                ) : (
                  <PeopleGrid {...{ people, q, search, change }} />
                )}
                {shown !== undefined && (
                  <PersonPanel
                    id={shown}
                    team={choices.manager.find(({ value }) => value === shown)?.count}
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

interface PeopleGridProps {
  readonly people: readonly ListedPerson[];
  readonly q: string;
  readonly search: PeopleSearch;
  readonly change: (part: PeopleSearch) => void;
}

function PeopleGrid({ people, q, search, change }: PeopleGridProps): ReactNode {
  const text = useMessages(messages);
  const { fields } = useMessages(personTexts);
  const format = useFormat();
  const { nameOf } = useLabels();
  const navigate = useNavigate();
  const words = useMemo(() => searchWords(q), [q]);
  const columns: readonly GridColumn<ListedPerson, SortKey>[] = [
    {
      id: 'name',
      header: text.name,
      width: 'minmax(9.4rem, 1.6fr)',
      card: [1, 'start'],
      render: ({ id, name }) => (
        <Link to="/people/$personId" params={{ personId: id }} tabIndex={-1} preload={false}>
          <Highlight text={name} words={words} />
        </Link>
      ),
      title: ({ name }) => name,
    },
    {
      id: 'number',
      header: text.number,
      width: '5.6rem',
      figures: 'start',
      card: [2, 'end'],
      render: ({ number }) => <Highlight text={number} words={words} />,
    },
    {
      id: 'job',
      header: fields.jobTitle,
      width: 'minmax(8.4rem, 2fr)',
      card: [2, 'start'],
      render: ({ job }) => <Highlight text={job} words={words} />,
      title: ({ job }) => job,
    },
    {
      id: 'place',
      header: fields.usualPlaceOfWork,
      width: 'minmax(6.9rem, 1.7fr)',
      rank: 1,
      render: ({ place }) => place,
    },
    {
      id: 'groups',
      header: fields.groups,
      width: 'minmax(7.5rem, 1fr)',
      rank: 2,
      render: ({ groups }) => groups.map((id) => nameOf('group', id)).join(', '),
    },
    {
      id: 'status',
      header: fields.status,
      width: '5.5rem',
      card: [1, 'end'],
      render: ({ status }) => <StatusLabel status={status} />,
    },
    ...(['entry', 'exit'] as const).map((id): GridColumn<ListedPerson, SortKey> => ({
      id,
      header: fields[id === 'entry' ? 'groupEntryDate' : 'groupExitDate'],
      width: '6rem',
      figures: 'start',
      rank: id === 'entry' ? 1 : 2,
      render: ({ [id]: date }) => date && format.date(date),
    })),
  ];
  return (
    <Grid
      label={text.title}
      help={text.listHelp}
      columns={columns}
      rows={people}
      keyOf={({ id }) => id}
      sort={{
        by: search.sort ?? 'name',
        isDescending: search.desc === true,
        change: (sort, isDescending) => change({ sort, desc: isDescending || undefined }),
      }}
      shown={search.person}
      onShow={({ id }) => change({ person: id })}
      onOpen={({ id }) => void navigate({ to: '/people/$personId', params: { personId: id } })}
    />
  );
}
