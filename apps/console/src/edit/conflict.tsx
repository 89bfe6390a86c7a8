import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { personTexts } from '../components/person-texts.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { compareThree, merge, type ConflictRow, type Input, type Side } from './comparison.ts';
import { fieldLabel, messages } from './messages.ts';
import { ComparisonTable, shownValue } from './review.tsx';
import type { EditKind, StoredValue } from './stored-value.ts';
import type { EditDraft } from './use-save.tsx';

interface ConflictProps {
  readonly kind: EditKind;
  readonly draft: EditDraft;
  readonly theirs: StoredValue;
  readonly onMerge: (input: Input) => void;
}

type Sides = Readonly<Record<string, Side | undefined>>;

/** What a person started from, what somebody else stored meanwhile, and what the person entered: a choice per field. */
export function Conflict({ kind, draft, theirs, onMerge }: ConflictProps): ReactNode {
  const { conflict: text } = useMessages(messages);
  const labels = useMessages(personTexts);
  const format = useFormat();
  const rows = compareThree(kind, draft.start, theirs, draft.input);
  const open = rows.filter(({ choice }) => choice === 'open');
  const [sides, setSides] = useState<Sides>(() =>
    Object.fromEntries(open.map(({ group, suggestion }) => [group, suggestion])),
  );
  const [isChecked, setChecked] = useState(false);
  const missing = open.filter(({ group }) => sides[group] === undefined);
  const missingNames = format.list(missing.map(({ name }) => fieldLabel(labels, name)));
  const takeAll = (side: Side): void =>
    onMerge(merge(kind, theirs, draft.input, Object.fromEntries(open.map(({ group }) => [group, side]))));

  const marks = { theirs: text.theyChanged, mine: text.iChanged };
  // Two masked IBANs stand for different accounts.
  const isOtherIban = ({ name }: ConflictRow): boolean =>
    name === 'iban' && draft.start.ibanVersion !== theirs.ibanVersion;
  const cell = (row: ConflictRow, side: Side): ReactNode => {
    const isNoted = side === 'theirs' && isOtherIban(row) && row.theirs === row.start;
    const shown = shownValue(row.name, row[side]) + (isNoted ? ` (${text.otherIban})` : '');
    if (row.choice === undefined) return shown;
    return (
      <Radio
        name={`${row.name}-side`}
        label={shown}
        aria-label={`${fieldLabel(labels, row.name)}, ${text[side]}: ${shown}`}
        checked={sides[row.group] === side}
        onChange={() => setSides({ ...sides, [row.group]: side })}
      />
    );
  };
  return (
    <Stack gap="md">
      <Text>{text.intro}</Text>
      <ComparisonTable
        caption={text.caption}
        rows={rows}
        columns={[
          { header: text.start, render: ({ name, start }) => shownValue(name, start) },
          { header: text.theirs, render: (row) => cell(row, 'theirs') },
          { header: text.mine, render: (row) => cell(row, 'mine') },
        ]}
        markOf={(row) => {
          const isChanged = row.choice === 'open' || row.start !== row.theirs || isOtherIban(row);
          if (!isChanged) return undefined;
          return row.suggestion === undefined ? text.both : marks[row.suggestion];
        }}
      />
      {isChecked && missing.length > 0 && (
        <Text role="alert" c="var(--mantine-color-error)">
          {text.open(missingNames)}
        </Text>
      )}
      <Group gap="xs">
        <Button
          onClick={() => {
            setChecked(true);
            if (missing.length === 0) onMerge(merge(kind, theirs, draft.input, sides));
          }}
        >
          {text.apply}
        </Button>
        <Button variant="default" onClick={() => takeAll('theirs')}>
          {text.allTheirs}
        </Button>
        <Button variant="default" onClick={() => takeAll('mine')}>
          {text.allMine}
        </Button>
      </Group>
    </Stack>
  );
}
