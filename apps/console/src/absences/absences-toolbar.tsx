import {
  ActionIcon,
  Button,
  CloseButton,
  Group,
  NativeSelect,
  SegmentedControl,
  Switch,
  TextInput,
  Title,
} from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight, IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { statuses } from '../model/statuses.ts';
import { useMessages } from '../shell/locale.tsx';
import { addMonths, today } from '../model/calendar.ts';
import classes from './absences.module.css';
import type { AbsencesScreen } from './absences-routes.ts';
import { monthOf, type AbsencesSearch } from './absences-search.ts';
import { messages } from './messages.ts';

interface AbsencesToolbarProps {
  readonly search: AbsencesSearch;
  readonly change: (change: Partial<AbsencesSearch>) => void;
  readonly rangeName: string;
  readonly data: AbsencesScreen | undefined;
}

const SEARCH_DELAY_MS = 150;
const QUARTER = 3;

/** Chooses the time range and the people. */
export function AbsencesToolbar({ search, change, rangeName, data }: AbsencesToolbarProps): ReactNode {
  const text = useMessages(messages);
  const statusNames = useMessages(statuses);
  const { range, month, group, status, onlyAbsent, day, view } = search;
  const step = range === 'month' ? 1 : QUARTER;
  const go = (to: string): void => change({ month: to, day: undefined });
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <ActionIcon.Group role="presentation">
            <ActionIcon
              variant="default"
              size={30}
              aria-label={text.previous[range]}
              onClick={() => go(addMonths(month, -step))}
            >
              <IconChevronLeft size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="default"
              size={30}
              aria-label={text.next[range]}
              onClick={() => go(addMonths(month, step))}
            >
              <IconChevronRight size={16} aria-hidden />
            </ActionIcon>
          </ActionIcon.Group>
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
            data={[
              { value: 'month', label: text.ranges.month },
              { value: 'quarter', label: text.ranges.quarter },
            ]}
            onChange={(value) => change({ range: value })}
          />
          <SegmentedControl
            size="xs"
            aria-label={text.view}
            value={view}
            data={[
              { value: 'timeline', label: text.views.timeline },
              { value: 'table', label: text.views.table },
            ]}
            onChange={(value) => change({ view: value })}
          />
        </Group>
      </Group>
      <search className={classes['filters']}>
        <NameInput value={search.name} change={(name) => change({ name })} />
        <NativeSelect
          size="xs"
          label={text.group}
          value={group}
          data={[{ value: '', label: text.allGroups }, ...withChosen(data?.groups, group)]}
          onChange={({ currentTarget }) => change({ group: currentTarget.value })}
        />
        <NativeSelect
          size="xs"
          label={text.status}
          value={status}
          data={[
            { value: '', label: text.allStatuses },
            ...withChosen(data?.statuses, status).map((value) => ({ value, label: statusNames[value] ?? value })),
          ]}
          onChange={({ currentTarget }) => change({ status: currentTarget.value })}
        />
        <TextInput
          size="xs"
          type="month"
          label={text.month}
          value={month}
          onChange={({ currentTarget: { value } }) => value !== '' && go(value)}
        />
        <TextInput
          size="xs"
          type="date"
          label={text.day}
          value={day ?? ''}
          rightSection={
            day !== undefined && (
              <CloseButton size="sm" aria-label={text.clearDay} onClick={() => change({ day: undefined })} />
            )
          }
          onChange={({ currentTarget: { value } }) =>
            change(value === '' ? { day: undefined } : { day: value, month: monthOf(value) })
          }
        />
        <Switch
          size="sm"
          styles={{ body: { alignItems: 'center', height: 30 } }}
          label={text.onlyAbsent}
          checked={onlyAbsent}
          onChange={({ currentTarget }) => change({ onlyAbsent: currentTarget.checked })}
        />
      </search>
    </>
  );
}

function NameInput({ value, change }: { readonly value: string; readonly change: (name: string) => void }): ReactNode {
  const text = useMessages(messages);
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const send = useDebouncedCallback((name: string) => {
    sent.current = name;
    change(name);
  }, SEARCH_DELAY_MS);
  // The address changed by something else, such as a button.
  useEffect(() => {
    if (value !== sent.current) setTyped(value);
    sent.current = value;
  }, [value]);
  return (
    <TextInput
      size="xs"
      type="search"
      label={text.person}
      placeholder={text.name}
      leftSection={<IconSearch size={14} aria-hidden />}
      maxLength={100}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        send(currentTarget.value);
      }}
    />
  );
}

/** The choices, and what the address says, even if no person has it now. */
function withChosen(choices: readonly string[] = [], chosen: string): string[] {
  return [...new Set([...choices, ...(chosen === '' ? [] : [chosen])])];
}
