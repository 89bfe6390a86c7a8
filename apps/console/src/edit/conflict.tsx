import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { compareThree, merge, type ConflictRow, type Input, type Side } from './comparison.ts';
import type { Draft } from './drafts.ts';
import classes from './edit.module.css';
import { fieldLabel, messages } from './messages.ts';
import { shownValue } from './review.tsx';
import type { EditKind, StoredValue } from './stored-value.ts';

interface ConflictProps {
  readonly kind: EditKind;
  readonly draft: Draft;
  readonly theirs: StoredValue;
  readonly onMerge: (input: Input) => void;
  readonly onDone: () => void;
}

type Sides = Readonly<Record<string, Side | undefined>>;

/** What a person started from, what somebody else stored meanwhile, and what the person entered: a choice per field. */
export function Conflict({ kind, draft, theirs, onMerge, onDone }: ConflictProps): ReactNode {
  const { conflict: text, review, fields: labels, done } = useMessages(messages);
  const format = useFormat();
  const rows = compareThree(kind, draft.start, theirs, draft.input);
  const open = rows.filter(({ choice }) => choice === 'open');
  const [sides, setSides] = useState<Sides>(() =>
    Object.fromEntries(open.map(({ group, suggestion }) => [group, suggestion])),
  );
  const [isChecked, setChecked] = useState(false);
  const missing = open.filter(({ group }) => sides[group] === undefined);
  const missingNames = format.list(missing.map(({ name }) => fieldLabel(labels, name)));
  const takeAll = (side: Side): void => onMerge(merge(kind, theirs, draft.input, allFrom(open, side)));

  if (draft.isInput) {
    return (
      <Stack gap="md" align="flex-start">
        <Text>{text.same}</Text>
        <Button onClick={onDone}>{done}</Button>
      </Stack>
    );
  }
  const isUntouched = rows.every(({ start, theirs: stored }) => start === stored);
  return (
    <Stack gap="md">
      <Text>{isUntouched && draft.start.ibanVersion === theirs.ibanVersion ? text.restarted : text.intro}</Text>
      <div className="panel">
        <table className={`${classes['table']} ${classes['stacked']}`}>
          <caption>{text.caption}</caption>
          <thead>
            <tr>
              <th scope="col">{review.field}</th>
              <th scope="col">{text.start}</th>
              <th scope="col">{text.theirs}</th>
              <th scope="col">{text.mine}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <ChoiceRow
                key={row.name}
                row={row}
                isOtherIban={row.name === 'iban' && draft.start.ibanVersion !== theirs.ibanVersion}
                side={sides[row.group]}
                onChoose={(side) => setSides({ ...sides, [row.group]: side })}
              />
            ))}
          </tbody>
        </table>
      </div>
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

interface ChoiceRowProps {
  readonly row: ConflictRow;
  /** Whether two masked IBANs stand for different accounts. */
  readonly isOtherIban: boolean;
  readonly side: Side | undefined;
  readonly onChoose: (side: Side) => void;
}

function ChoiceRow({ row, isOtherIban, side, onChoose }: ChoiceRowProps): ReactNode {
  const { conflict: text, fields: labels } = useMessages(messages);
  const { name, start, theirs, mine, choice, suggestion } = row;
  const label = fieldLabel(labels, name);
  const isChanged = choice === 'open' || start !== theirs || isOtherIban;
  const marks = { theirs: text.theyChanged, mine: text.iChanged };
  const mark = suggestion === undefined ? text.both : marks[suggestion];
  const shown = { theirs: shownValue(name, theirs), mine: shownValue(name, mine) };
  const cell = (of: Side): ReactNode => {
    const note = of === 'theirs' && isOtherIban && theirs === start ? ` (${text.otherIban})` : '';
    if (choice === undefined) return shown[of] + note;
    return (
      <Radio
        name={`${name}-side`}
        label={shown[of] + note}
        aria-label={`${label}, ${text[of]}: ${shown[of]}${note}`}
        checked={side === of}
        onChange={() => onChoose(of)}
      />
    );
  };
  return (
    <tr data-changed={isChanged || undefined}>
      <th scope="row">
        {label}
        {isChanged && <span className={classes['mark']}>{mark}</span>}
      </th>
      <td data-label={text.start}>{shownValue(name, start)}</td>
      <td data-label={text.theirs}>{cell('theirs')}</td>
      <td data-label={text.mine}>{cell('mine')}</td>
    </tr>
  );
}

function allFrom(rows: readonly ConflictRow[], side: Side): Sides {
  return Object.fromEntries(rows.map(({ group }) => [group, side]));
}
