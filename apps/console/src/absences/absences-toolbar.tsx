import { Button, CloseButton, Group, SegmentedControl, Switch, TextInput, Title } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { DateInput } from '../components/date-input.tsx';
import { Steps } from '../components/steps.tsx';
import { TeamFilters } from '../components/team-filters.tsx';
import { addMonths, monthOf, today } from '../model/calendar.ts';
import { useMessages } from '../shell/locale.tsx';
import { useTyped } from '../shell/search.ts';
import type { AbsencesScreen } from './absences-routes.ts';
import { MONTHS_A_QUARTER, type AbsencesSearch } from './absences-search.ts';
import { messages } from './messages.ts';

interface AbsencesToolbarProps {
  readonly search: AbsencesSearch;
  readonly change: (change: Partial<AbsencesSearch>) => void;
  readonly rangeName: string;
  readonly data: AbsencesScreen | undefined;
}

/** Chooses the time range and the people. */
export function AbsencesToolbar({ search, change, rangeName, data }: AbsencesToolbarProps): ReactNode {
  const text = useMessages(messages);
  const { range, month, name = '', only = false, day, view } = search;
  const [typed, setTyped] = useTyped(name, (written) => change({ name: written || undefined }));
  const go = (to: string): void => change({ month: to, day: undefined });
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Steps
            previous={text.previous[range]}
            next={text.next[range]}
            onStep={(direction) => go(addMonths(month, direction * (range === 'month' ? 1 : MONTHS_A_QUARTER)))}
          />
          <Button variant="default" size="xs" onClick={() => go(monthOf(today()))}>
            {text.today}
          </Button>
          <Title order={2} miw={130} aria-live="polite">
            {rangeName}
          </Title>
        </Group>
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label={text.range}
            value={range}
            data={(['month', 'quarter'] as const).map((value) => ({ value, label: text.ranges[value] }))}
            onChange={(value) => change({ range: value })}
          />
          <SegmentedControl
            size="xs"
            aria-label={text.view}
            value={view}
            data={(['timeline', 'table'] as const).map((value) => ({ value, label: text.views[value] }))}
            onChange={(value) => change({ view: value })}
          />
        </Group>
      </Group>
      <search className="filters">
        <TextInput
          size="xs"
          type="search"
          label={text.person}
          placeholder={text.name}
          leftSection={<IconSearch size={14} aria-hidden />}
          maxLength={100}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <TeamFilters choices={data?.choices} filter={search} change={change} />
        <DateInput kind="month" label={text.month} value={month} onChange={(value, isValid) => isValid && go(value)} />
        <DateInput
          kind="date"
          label={text.day}
          value={day ?? ''}
          rightSection={
            day !== undefined && (
              <CloseButton size="sm" aria-label={text.clearDay} onClick={() => change({ day: undefined })} />
            )
          }
          onChange={(value, isValid) => {
            if (isValid) change({ day: value, month: monthOf(value) });
            else if (value === '') change({ day: undefined });
          }}
        />
        <Switch
          size="sm"
          styles={{ body: { alignItems: 'center', height: 30 } }}
          label={text.onlyAbsent}
          checked={only}
          onChange={({ currentTarget }) => change({ only: currentTarget.checked || undefined })}
        />
      </search>
    </>
  );
}
