import type { SearchWords } from '@hr/client/search';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Grid, type GridColumn } from '../components/grid.tsx';
import { Highlight } from '../components/highlight.tsx';
import { StatusLabel } from '../components/status-label.tsx';
import { useFormat } from '../shell/format.ts';
import { useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import type { ListedPerson } from './directory.ts';
import { messages } from './messages.ts';
import type { PeopleSearch, SortKey } from './people-search.ts';

interface PeopleGridProps {
  readonly people: readonly ListedPerson[];
  readonly words: SearchWords;
  readonly search: PeopleSearch;
  readonly change: (part: PeopleSearch) => void;
}

/** The directory. */
export function PeopleGrid({ people, words, search, change }: PeopleGridProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { nameOf } = useLabels();
  const navigate = useNavigate();
  const columns: readonly Omit<GridColumn<ListedPerson, SortKey>, 'header'>[] = [
    {
      id: 'name',
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
      width: '5.6rem',
      figures: 'start',
      card: [2, 'end'],
      render: ({ number }) => <Highlight text={number} words={words} />,
    },
    {
      id: 'job',
      width: 'minmax(8.4rem, 2fr)',
      card: [2, 'start'],
      render: ({ job }) => <Highlight text={job} words={words} />,
      title: ({ job }) => job,
    },
    { id: 'place', width: 'minmax(6.9rem, 1.7fr)', from: 47.5, render: ({ place }) => place },
    {
      id: 'groups',
      width: 'minmax(5.6rem, 1fr)',
      from: 64,
      render: ({ groups }) => groups.map((id) => nameOf('group', id)).join(', '),
    },
    { id: 'status', width: '5.5rem', card: [1, 'end'], render: ({ status }) => <StatusLabel status={status} /> },
    { id: 'entry', width: '6rem', figures: 'start', from: 47.5, render: ({ entry }) => entry && format.date(entry) },
    { id: 'exit', width: '6rem', figures: 'start', from: 64, render: ({ exit }) => exit && format.date(exit) },
  ];
  return (
    <Grid
      label={text.list}
      help={text.listHelp}
      columns={columns.map((column) => ({ ...column, header: text.columns[column.id] }))}
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
