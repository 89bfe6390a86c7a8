import { CloseButton, SegmentedControl, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMemo, type ReactNode, type RefObject } from 'react';
import { FilterSelect } from '../components/filter-select.tsx';
import { useFormat } from '../shell/format.ts';
import { gapNames, gaps } from '../model/gaps.ts';
import { statuses } from '../model/statuses.ts';
import { useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { valuesOf, type ListedPerson } from './directory.ts';
import { messages } from './messages.ts';
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
  const gapTexts = useMessages(gapNames);
  const format = useFormat();
  const { nameOf } = useLabels();
  const values = useMemo(
    () => ({
      status: valuesOf(people, (person) => [person.status], format.compare).map(([status]) => status),
      group: valuesOf(
        people,
        (person) => person.groups,
        (one, other) => format.compare(nameOf('group', one), nameOf('group', other)),
      ),
      place: valuesOf(people, (person) => [person.place], format.compare),
    }),
    [people, format, nameOf],
  );
  const choices = (name: 'group' | 'place'): { value: string; label: string }[] =>
    values[name].map(([value, count]) => ({
      value,
      label: text.option(name === 'group' ? nameOf(name, value) : value, format.number(count)),
    }));

  return (
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
        onChange={(status) => onChange({ status: status || undefined })}
        data={[
          '',
          // That of an old link may no longer occur.
          ...new Set([...values.status, ...(search.status === undefined ? [] : [search.status])]),
        ].map((value) => ({ value, label: value === '' ? text.all : (statusNames[value] ?? value) }))}
      />
      <FilterSelect
        label={text.group}
        hidesLabel
        all={text.allGroups}
        choices={choices('group')}
        value={search.group}
        onChange={(group) => onChange({ group })}
      />
      <FilterSelect
        label={text.place}
        hidesLabel
        all={text.allPlaces}
        choices={choices('place')}
        value={search.place}
        onChange={(place) => onChange({ place })}
      />
      <FilterSelect
        label={text.missing}
        hidesLabel
        all={text.nothingMissing}
        choices={gaps.map((value) => ({ value, label: gapTexts[value] }))}
        value={search.missing}
        onChange={(value) => onChange({ missing: gaps.find((gap) => gap === value) })}
      />
      {children}
    </search>
  );
}
