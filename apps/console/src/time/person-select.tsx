import { Select } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { bff } from '../shell/bff.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';
import type { TimePerson } from './time-routes.ts';

interface PersonSelectProps {
  readonly person: TimePerson | undefined;
  readonly onPerson: (id: string) => void;
}

const TYPING_MS = 150;

/** Chooses a person by name or employee number. The backend searches, so that any number of persons works. */
export function PersonSelect({ person, onPerson }: PersonSelectProps): ReactNode {
  const text = useMessages(messages);
  const [isOpen, { open, close }] = useDisclosure();
  const [typed, setTyped] = useState('');
  const [picked, setPicked] = useState<TimePerson>();
  const chosen = person ?? picked;
  // The name of the chosen person is in the field, but nobody searched for it.
  const [search] = useDebouncedValue(chosen && typed === labelOf(chosen) ? '' : typed, TYPING_MS);
  const { data: found = [] } = useQuery({
    queryKey: ['time/persons', search],
    queryFn: async () => await bff.get<TimePerson[]>('time/persons', { search }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  const others = found.filter(({ id }) => id !== chosen?.id);
  const options = chosen && (search === '' || others.length < found.length) ? [chosen, ...others] : others;
  return (
    <Select
      label={text.person}
      placeholder={text.searchPerson}
      size="xs"
      w={280}
      maw="100%"
      searchable
      data={withoutDoubles(chosen, options).map((one) => ({ value: one.id, label: labelOf(one) }))}
      filter={({ options: all }) =>
        all.filter((one) => !('value' in one) || options.some(({ id }) => id === one.value))
      }
      value={chosen?.id ?? null}
      allowDeselect={false}
      nothingFoundMessage={text.noPerson}
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={open}
      onDropdownClose={close}
      onChange={(id) => {
        const next = options.find((one) => one.id === id);
        if (next === undefined) return;
        setPicked(next);
        onPerson(next.id);
      }}
    />
  );
}

/** The field needs the chosen person among its options, also when the search does not find them. */
function withoutDoubles(chosen: TimePerson | undefined, options: readonly TimePerson[]): TimePerson[] {
  if (chosen === undefined || options.some(({ id }) => id === chosen.id)) return [...options];
  return [chosen, ...options];
}

function labelOf({ name, employeeNumber }: TimePerson): string {
  return employeeNumber ? `${name} · ${employeeNumber}` : name;
}
