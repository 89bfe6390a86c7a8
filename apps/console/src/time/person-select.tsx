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
  const isChosenFound = search === '' || others.length < found.length;
  // The field needs the chosen person among its options, also when the search does not find them.
  const options = chosen ? [chosen, ...others] : others;
  return (
    <Select
      label={text.person}
      placeholder={text.searchPerson}
      size="xs"
      w={280}
      maw="100%"
      searchable
      data={options.map((one) => ({ value: one.id, label: labelOf(one) }))}
      filter={({ options: all }) => all.filter((one) => isChosenFound || !('value' in one) || one.value !== chosen?.id)}
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

function labelOf({ name, employeeNumber }: TimePerson): string {
  return employeeNumber ? `${name} · ${employeeNumber}` : name;
}
