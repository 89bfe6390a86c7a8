import type { ReactNode } from 'react';
import { statuses } from '../model/statuses.ts';
import { teamParts, type TeamChoice, type TeamChoices, type TeamFilter, type TeamPart } from '../model/team.ts';
import { useFormat } from '../shell/format.ts';
import { useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { FilterSelect } from './filter-select.tsx';
import { messages } from './messages.ts';

interface TeamFiltersProps {
  readonly choices: TeamChoices | undefined;
  readonly filter: TeamFilter;
  /** Receives what changes. */
  readonly change: (part: TeamFilter) => void;
  readonly hidesLabels?: boolean;
}

/** Chooses a team. What leaves no choice is not there. */
export function TeamFilters({ choices, filter, change, hidesLabels = false }: TeamFiltersProps): ReactNode {
  const { team: text } = useMessages(messages);
  const statusNames = useMessages(statuses);
  const format = useFormat();
  const labels = useLabels();
  const nameOf = (part: TeamPart, { value, name = value }: TeamChoice): string => {
    if (part === 'status') return statusNames[value] ?? value;
    if (part === 'group') return labels.nameOf('group', value);
    return part === 'entity' ? labels.nameOf('legalEntity', value) : name;
  };
  return teamParts
    .filter((part) => (choices?.[part].length ?? 0) > 1 || filter[part] !== undefined)
    .map((part) => (
      <FilterSelect
        key={part}
        label={text.parts[part]}
        hidesLabel={hidesLabels}
        all={text.all[part]}
        choices={(choices?.[part] ?? [])
          .map((choice) => ({ ...choice, name: nameOf(part, choice) }))
          .toSorted((one, other) => format.compare(one.name, other.name))
          .map(({ value, name, count }) => ({ value, label: text.choice(name, format.number(count)) }))}
        value={filter[part]}
        onChange={(value) => change({ [part]: value })}
      />
    ));
}
