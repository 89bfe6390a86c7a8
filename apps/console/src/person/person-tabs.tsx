import { Alert, Badge, Stack, Switch, Text } from '@mantine/core';
import { IconBeach, IconClockOff, IconFileOff, IconHistory } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { ChangedValues, useAuthorTexts, useFieldNames } from '../components/changed-values.tsx';
import { useEmploymentColumns } from '../components/employment-columns.tsx';
import { AnchorLink } from '../components/link.tsx';
import { Empty } from '../components/page.tsx';
import { ScrollTable, type TableColumn } from '../components/scroll-table.tsx';
import { DASH, useFormat } from '../shell/format.ts';
import { LabelText, useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import type { TimeDay } from '../time/time-routes.ts';
import { messages } from './messages.ts';
import type { HistoryEvent, PersonScreen } from './person-routes.ts';

/** The payroll contracts of a person, and those that payroll does not know. */
export function ContractsTab({ person }: Pick<PersonScreen, 'person'>): ReactNode {
  const { contracts: text } = useMessages(messages);
  const columns = useEmploymentColumns();
  const employments = person.employments ?? [];
  const known = new Set(employments.map(({ payrollContractId }) => payrollContractId));
  // oxlint-disable-next-line typescript/no-deprecated -- only it has the ids that payroll does not know
  const unknown = (person.payrollContractIds ?? []).filter((id) => !known.has(id));
  return (
    <Stack gap="md">
      {employments.length === 0 ? (
        <Empty icon={<IconFileOff size={32} />} title={text.empty}>
          {text.emptyHelp}
        </Empty>
      ) : (
        <ScrollTable
          caption={text.caption}
          minWidth={860}
          rows={employments}
          keyOf={({ payrollContractId }) => payrollContractId}
          columns={[
            {
              header: text.contract,
              render: ({ payrollContractId: contractId }) => (
                <AnchorLink to="/contracts/$contractId" params={{ contractId }}>
                  {contractId}
                </AnchorLink>
              ),
            },
            ...columns.map(({ header, render }) => ({
              header,
              render: (employment: (typeof employments)[number]) => render(employment) ?? DASH,
            })),
          ]}
        />
      )}
      {unknown.length > 0 && (
        <Alert variant="outline" color="gray" title={`${text.unknown}: ${unknown.join(', ')}`}>
          <Text>{text.unknownHelp}</Text>
        </Alert>
      )}
    </Stack>
  );
}

/** The last days of a person's time account. */
export function TimeTab({ person, days }: PersonScreen): ReactNode {
  const { time: text } = useMessages(messages);
  const format = useFormat();
  const { nameOf } = useLabels();
  const more = (
    <AnchorLink underline="always" to="/time" search={{ person: person.id }}>
      {text.more}
    </AnchorLink>
  );
  if (!days?.length) {
    return (
      <Empty icon={<IconClockOff size={32} />} title={text.empty}>
        {text.emptyHelp} {more}
      </Empty>
    );
  }
  return (
    <ScrollTable
      caption={text.caption(format.number(days.length))}
      minWidth={560}
      rows={days}
      keyOf={({ date }) => date}
      columns={[
        { header: text.date, render: ({ date }) => format.weekday(date) },
        ...(['target', 'booked', 'chargeable'] as const).map((name): TableColumn<TimeDay> => ({
          header: text[name],
          figures: 'end',
          render: ({ [name]: value }) => (value === undefined ? DASH : format.minutes(value)),
        })),
        {
          header: text.bookings,
          render: ({ bookings }) => (
            <span style={{ whiteSpace: 'normal' }}>
              {bookings.map(({ time, key }) => `${time} ${nameOf('bookingKey', key)}`).join(' · ') || DASH}
            </span>
          ),
        },
      ]}
      note={more}
    />
  );
}

/** The absences of a person. They have no type, and their amounts no unit. */
export function AbsencesTab({ absences }: PersonScreen): ReactNode {
  const { absences: text } = useMessages(messages);
  const format = useFormat();
  const more = (
    <AnchorLink underline="always" to="/absences">
      {text.more}
    </AnchorLink>
  );
  if (!absences?.length) {
    return (
      <Empty icon={<IconBeach size={32} />} title={text.empty}>
        {text.emptyHelp} {more}
      </Empty>
    );
  }
  return (
    <ScrollTable
      caption={text.caption}
      minWidth={420}
      rows={absences}
      keyOf={({ id }) => id}
      columns={[
        { header: text.start, render: ({ startDate }) => format.date(startDate) },
        { header: text.end, render: ({ endDate }) => (endDate ? format.date(endDate) : <Badge>{text.open}</Badge>) },
        { header: text.key, render: ({ key }) => (key ? <LabelText kind="bookingKey" id={key} /> : DASH) },
        { header: text.amount, figures: 'end', render: ({ amount }) => format.number(amount ?? undefined) },
      ]}
      note={
        <>
          {text.note} {more}
        </>
      }
    />
  );
}

/** Who read or changed data of a person, and what changed. */
export function HistoryTab({ history }: PersonScreen): ReactNode {
  const { history: text } = useMessages(messages);
  const format = useFormat();
  const { nameOf, wayOf, operationOf } = useAuthorTexts();
  const namesOf = useFieldNames();
  const [showsOwnReads, setShowsOwnReads] = useState(false);
  const { events = [], isCut = false, days } = history ?? {};
  const what = ({ what: operations, fields, access, times }: HistoryEvent): string => {
    const words = format.list(operations.map(operationOf));
    const named = fields.length === 0 ? words : `${words}: ${namesOf(fields)}`;
    const sentence = access === 'refused' ? text.refused(named) : named;
    return times === 1 ? sentence : `${sentence}, ${text.times(format.number(times))}`;
  };
  const ownReads = events.reduce((sum, { isOwnRead, times }) => sum + (isOwnRead ? times : 0), 0);
  const shown = events.filter(({ isOwnRead }) => showsOwnReads || !isOwnRead);
  return (
    <Stack gap="sm">
      {ownReads > 0 && (
        <Switch
          size="xs"
          label={text.ownReads(format.number(ownReads))}
          checked={showsOwnReads}
          onChange={(event) => setShowsOwnReads(event.currentTarget.checked)}
        />
      )}
      {shown.length === 0 ? (
        <Empty icon={<IconHistory size={32} />} title={text.empty}>
          {text.emptyHelp} {text.note}
        </Empty>
      ) : (
        <ScrollTable
          caption={text.caption(format.number(days))}
          minWidth={620}
          rows={shown}
          keyOf={({ id }) => id}
          columns={[
            { header: text.at, render: ({ at }) => format.instant(at) },
            {
              header: text.what,
              render: (event) => (
                <>
                  <Text span inherit fw={event.access === 'read' ? 400 : 500}>
                    {what(event)}
                  </Text>
                  <ChangedValues values={event.values} />
                </>
              ),
            },
            { header: text.who, render: ({ author }) => nameOf(author) },
            { header: text.way, render: ({ author }) => wayOf(author) },
          ]}
          note={
            <>
              {isCut && <Text component="span">{text.cut} </Text>}
              {text.note}
            </>
          }
        />
      )}
    </Stack>
  );
}
