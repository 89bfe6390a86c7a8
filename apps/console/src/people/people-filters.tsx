import { CloseButton, Group, NativeSelect, SegmentedControl, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, type ReactNode, type RefObject } from 'react';
import { useFormat } from '../shell/format.ts';
import { statuses } from '../model/statuses.ts';
import { useMessages } from '../shell/locale.tsx';
import { valuesOf, type ListedPerson } from './directory.ts';
import { messages } from './messages.ts';
import classes from './people-screen.module.css';
import type { PeopleSearch } from './people-search.ts';

interface PeopleFiltersProps {
  /** All persons, who have the values to choose from. */
  readonly people: readonly ListedPerson[];
  readonly search: PeopleSearch;
  /** The text in the search field. */
  readonly typed: string;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onType: (text: string) => void;
  /** Receives what changes. */
  readonly onChange: (part: PeopleSearch) => void;
  /** The person leaves the search field for the list. */
  readonly onLeave: () => void;
  readonly children: ReactNode;
}

/** The search field and the filters of the directory. */
export function PeopleFilters(props: PeopleFiltersProps): ReactNode {
  const { people, search, typed, input, onType, onChange, onLeave, children } = props;
  const text = useMessages(messages);
  const statusNames = useMessages(statuses);
  const format = useFormat();
  const values = useMemo(
    () => ({
      status: valuesOf(people, (person) => [person.status], format.compare),
      group: valuesOf(people, (person) => person.groups, format.compare),
      place: valuesOf(people, (person) => [person.place], format.compare),
    }),
    [people, format],
  );
  const set = (name: 'status' | 'group' | 'place', value: string): void => onChange({ [name]: value || undefined });
  const options = (all: string, name: 'group' | 'place'): { value: string; label: string }[] => [
    { value: '', label: all },
    ...withChosen(values[name], search[name]).map(([value, count]) => ({
      value,
      label: text.option(value, format.number(count)),
    })),
  ];

  return (
    <Group gap="xs" component="search" className={classes['filters']}>
      <TextInput
        ref={input}
        size="xs"
        className={classes['search']}
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
                onType('');
                input.current?.focus();
              }}
            />
          )
        }
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'Enter') {
            event.preventDefault();
            onLeave();
          }
        }}
      />
      <SegmentedControl
        size="xs"
        aria-label={text.status}
        value={search.status ?? ''}
        onChange={(value) => set('status', value)}
        data={[
          { value: '', label: text.all },
          ...withChosen(values.status, search.status).map(([value]) => ({
            value,
            label: statusNames[value] ?? value,
          })),
        ]}
      />
      <NativeSelect
        size="xs"
        aria-label={text.group}
        value={search.group ?? ''}
        data={options(text.allGroups, 'group')}
        onChange={(event) => set('group', event.currentTarget.value)}
      />
      <NativeSelect
        size="xs"
        aria-label={text.place}
        value={search.place ?? ''}
        data={options(text.allPlaces, 'place')}
        onChange={(event) => set('place', event.currentTarget.value)}
      />
      {children}
    </Group>
  );
}

/** The value of an old link may no longer occur. */
function withChosen(
  values: readonly (readonly [string, number])[],
  chosen: string | undefined,
): readonly (readonly [string, number])[] {
  const isMissing = chosen !== undefined && values.every(([value]) => value !== chosen);
  return isMissing ? [...values, [chosen, 0]] : values;
}
