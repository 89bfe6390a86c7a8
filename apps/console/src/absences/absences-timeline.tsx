import { CloseButton, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Facts, type Fact } from '../components/facts.tsx';
import { Timeline } from '../components/timeline.tsx';
import { useFormat } from '../shell/format.ts';
import { LabelText, useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import type { AbsentPerson, ShownAbsence } from './absence-days.ts';
import { DayHeader } from './day-header.tsx';
import { messages } from './messages.ts';

interface AbsencesTimelineProps {
  /** Those who are left by all filters. */
  readonly people: readonly AbsentPerson[];
  /** Those who are left by all filters but that of the day. */
  readonly counted: readonly AbsentPerson[];
  readonly from: string;
  readonly to: string;
  readonly rangeName: string;
  readonly day: string | undefined;
  readonly chooseDay: (day: string | undefined) => void;
}

const idOf = ({ id }: AbsentPerson): string => id;
const absencesOf = ({ absences }: AbsentPerson): readonly ShownAbsence[] => absences;

/** Absences over time, a row a person. */
export function AbsencesTimeline(props: AbsencesTimelineProps): ReactNode {
  const { people, counted, from, to, rangeName, day, chooseDay } = props;
  const text = useMessages(messages);
  const format = useFormat();
  const { colorOf, nameOf } = useLabels();
  const label = ({ key, startDate, endDate }: ShownAbsence): string => {
    const name = key ? nameOf('bookingKey', key, text.keyOf(key)) : text.noKey;
    return endDate === undefined
      ? text.labelOpen(name, format.date(startDate))
      : text.label(name, format.date(startDate), format.date(endDate));
  };
  return (
    <Timeline
      label={text.timelineLabel(rangeName)}
      rows={people}
      keyOf={idOf}
      periodsOf={absencesOf}
      {...{ from, to, day }}
      nameHeading={text.person}
      daysHeading={rangeName}
      days={<DayHeader people={counted} {...{ from, to }} chosen={day} choose={chooseDay} />}
      renderName={({ id, name }, rovingProps) => (
        <Link to="/people/$personId" params={{ personId: id }} title={name} {...rovingProps}>
          {name}
        </Link>
      )}
      bars={{
        text: ({ key }) => (key ? nameOf('bookingKey', key) : text.noKey),
        color: ({ key = '' }) => colorOf('bookingKey', key),
        label,
        open: text.open,
        detailsLabel: text.details,
        renderDetails: (person, absence, close) => <Details {...{ person, absence, close }} />,
      }}
    />
  );
}

interface DetailsProps {
  readonly person: AbsentPerson;
  readonly absence: ShownAbsence;
  readonly close: () => void;
}

function Details({ person, absence, close }: DetailsProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { startDate, endDate, key, amount } = absence;
  const from = format.date(startDate);
  const facts: readonly Fact[] = [
    [text.dates, endDate === undefined ? text.spanOpen(from) : text.span(from, format.date(endDate))],
    [text.key, key ? <LabelText key="key" kind="bookingKey" id={key} /> : text.noKey],
    [text.amount, amount === undefined ? text.noAmount : `${format.number(amount)} (${text.noUnit})`],
  ];
  return (
    <Stack gap="xs">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Link to="/people/$personId" params={{ personId: person.id }} aria-label={text.toPerson(person.name)}>
          <Text span fw={600} c="var(--mantine-color-anchor)">
            {person.name}
          </Text>
        </Link>
        <CloseButton size="sm" aria-label={text.close} onClick={close} />
      </Group>
      <Facts facts={facts} />
    </Stack>
  );
}
