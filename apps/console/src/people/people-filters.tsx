import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { ReactNode, RefObject } from 'react';
import { FilterSelect } from '../components/filter-select.tsx';
import { TeamFilters } from '../components/team-filters.tsx';
import { gapNames, gaps } from '../model/gaps.ts';
import type { TeamChoices } from '../model/team.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';
import type { PeopleSearch } from './people-search.ts';

interface PeopleFiltersProps {
  readonly choices: TeamChoices;
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
  const { choices, search, typed, input, onType, onChange, onLeave, children } = props;
  const text = useMessages(messages);
  const gapTexts = useMessages(gapNames);

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
      <TeamFilters choices={choices} filter={search} change={onChange} hidesLabels />
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
