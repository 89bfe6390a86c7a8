import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { Grid } from '../components/grid.tsx';
import { DASH, useFormat } from '../shell/format.ts';
import { LabelText } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { absenceRows, type AbsentPerson } from './absence-days.ts';
import { messages } from './messages.ts';

interface AbsencesTableProps {
  readonly people: readonly AbsentPerson[];
  readonly rangeName: string;
}

/** The same absences as the timeline. People without absences have a row, too. */
export function AbsencesTable({ people, rangeName }: AbsencesTableProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const navigate = useNavigate();
  const rows = useMemo(() => absenceRows(people), [people]);
  return (
    <Grid
      label={text.tableLabel(rangeName)}
      rows={rows}
      keyOf={({ person, absence }) => `${person.id} ${absence?.id ?? ''}`}
      onOpen={({ person }) => void navigate({ to: '/people/$personId', params: { personId: person.id } })}
      columns={[
        {
          id: 'person',
          header: text.person,
          width: 'minmax(11rem, 2fr)',
          card: [1, 'start'],
          render: ({ person: { id, name } }) => (
            <Link to="/people/$personId" params={{ personId: id }} tabIndex={-1} title={name}>
              {name}
            </Link>
          ),
        },
        {
          id: 'from',
          header: text.from,
          width: 'minmax(6rem, 1fr)',
          figures: 'start',
          card: [2, 'start'],
          render: ({ absence }) => (absence ? format.date(absence.startDate) : text.none),
        },
        {
          id: 'to',
          header: text.to,
          width: 'minmax(6rem, 1fr)',
          figures: 'start',
          card: [2, 'end'],
          render: ({ absence }) =>
            absence && (absence.endDate === undefined ? text.open : format.date(absence.endDate)),
        },
        {
          id: 'key',
          header: text.key,
          width: 'minmax(7rem, 1fr)',
          card: [3, 'start'],
          render: ({ absence }) => absence && (absence.key ? <LabelText kind="bookingKey" id={absence.key} /> : DASH),
        },
        {
          id: 'amount',
          header: text.amount,
          width: '5rem',
          figures: 'end',
          card: [3, 'end'],
          render: ({ absence }) => absence && format.number(absence.amount),
        },
      ]}
    />
  );
}
