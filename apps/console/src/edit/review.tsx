import { groupedIban } from '@hr/text/iban';
import { Alert, Button, Group, List, Radio, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { Warning } from '../components/form.tsx';
import { personTexts } from '../components/person-texts.ts';
import { ScrollTable, type TableColumn } from '../components/scroll-table.tsx';
import { DASH, useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages as shared } from '../shell/messages.ts';
import { warningsOf } from './check-fields.ts';
import { compare, compareThree, isMasked, merge, type ConflictRow, type Input, type Side } from './comparison.ts';
import { fieldLabel, messages } from './messages.ts';
import type { EditKind, StoredValue } from './stored-value.ts';
import type { EditDraft } from './edit-draft.ts';

/** Three columns fit on a phone. */
const MIN_COLUMN = 110;

interface ReviewProps {
  readonly kind: EditKind;
  readonly draft: EditDraft;
  /** What is stored now. */
  readonly stored: StoredValue;
  readonly isSaving: boolean;
  readonly onSave: () => void;
  readonly onBack: () => void;
}

/** What is stored beside what will be stored, and what the service will discard. */
export function Review({ kind, draft: { input }, stored, isSaving, onSave, onBack }: ReviewProps): ReactNode {
  const { review: text, warnings: warningTexts } = useMessages(messages);
  const labels = useMessages(personTexts);
  const { save } = useMessages(shared);
  const format = useFormat();
  const rows = compare(kind, stored, input);
  const discarded = rows.filter(({ change }) => change === 'discarded').map(({ name }) => fieldLabel(labels, name));
  const isEmpty = rows.every(({ after }) => after === undefined);
  return (
    <Stack gap="md">
      <ComparisonTable
        caption={text.caption}
        rows={rows}
        columns={[
          { header: text.before, render: ({ name, before }) => shownValue(name, before) },
          { header: text.after, render: ({ name, after }) => shownValue(name, after) },
        ]}
        markOf={({ change }) => text.changes[change] || undefined}
      />
      {(kind === 'address' || discarded.length > 0) && (
        <Alert variant="default" icon={<IconAlertTriangle />} title={text.discards}>
          <List>
            {isEmpty && kind === 'address' && <List.Item>{text.clears}</List.Item>}
            {discarded.length > 0 && <List.Item>{text.discardsFields(format.list(discarded))}</List.Item>}
            {kind === 'address' && <List.Item>{text.discardsAddresses}</List.Item>}
          </List>
        </Alert>
      )}
      {Object.entries(warningsOf(kind, stored, input)).map(([name, warning]) => (
        <Warning key={name}>
          {fieldLabel(labels, name)}: {warningTexts[warning]}
        </Warning>
      ))}
      <Group gap="xs">
        <Button onClick={onSave} loading={isSaving}>
          {save}
        </Button>
        <Button variant="default" onClick={onBack} disabled={isSaving}>
          {text.back}
        </Button>
      </Group>
    </Stack>
  );
}

interface ConflictProps extends Pick<ReviewProps, 'kind' | 'draft' | 'stored'> {
  readonly onMerge: (input: Input) => void;
}

/** What a person started from, what somebody else stored meanwhile, and what the person entered: a choice per field. */
export function Conflict({ kind, draft: { start, input }, stored, onMerge }: ConflictProps): ReactNode {
  const { conflict: text } = useMessages(messages);
  const labels = useMessages(personTexts);
  const format = useFormat();
  const rows = compareThree(kind, start, stored, input);
  const open = rows.filter(({ isOpen }) => isOpen);
  const [sides, setSides] = useState<Readonly<Record<string, Side | undefined>>>(() =>
    Object.fromEntries(open.map(({ group, suggestion }) => [group, suggestion])),
  );
  const [isChecked, setChecked] = useState(false);
  const missing = open.filter(({ group }) => sides[group] === undefined);
  const takeAll = (side: Side): void =>
    onMerge(merge(kind, stored, input, Object.fromEntries(open.map(({ group }) => [group, side]))));

  const cell = (row: ConflictRow, side: Side): ReactNode => {
    const isOtherIban = side === 'theirs' && row.theyChanged && row.theirs === row.start;
    const shown = shownValue(row.name, row[side]) + (isOtherIban ? ` (${text.otherIban})` : '');
    if (!row.isOpen) return shown;
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
          { header: text.start, render: (row) => shownValue(row.name, row.start) },
          { header: text.theirs, render: (row) => cell(row, 'theirs') },
          { header: text.mine, render: (row) => cell(row, 'mine') },
        ]}
        markOf={({ isOpen, theyChanged, suggestion }) =>
          isOpen || theyChanged ? text.changedBy[suggestion ?? 'both'] : undefined
        }
      />
      {isChecked && missing.length > 0 && (
        <Text role="alert" c="var(--mantine-color-error)">
          {text.open(format.list(missing.map(({ name }) => fieldLabel(labels, name))))}
        </Text>
      )}
      <Group gap="xs">
        <Button
          onClick={() => {
            setChecked(true);
            if (missing.length === 0) onMerge(merge(kind, stored, input, sides));
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

interface ComparisonTableProps<Row> {
  readonly caption: string;
  readonly rows: readonly Row[];
  /** Of the versions. */
  readonly columns: readonly TableColumn<Row>[];
  /** How a field that differs is marked. */
  readonly markOf: (row: Row) => string | undefined;
}

/** Versions of a value, field by field. */
function ComparisonTable<Row extends { readonly name: string }>(props: ComparisonTableProps<Row>): ReactNode {
  const { caption, rows, columns, markOf } = props;
  const { review: text } = useMessages(messages);
  const labels = useMessages(personTexts);
  const field = (row: Row): ReactNode => (
    <>
      {fieldLabel(labels, row.name)}
      <Text c="dimmed" size="xs" fw={600}>
        {markOf(row)}
      </Text>
    </>
  );
  return (
    <ScrollTable
      caption={caption}
      rows={rows}
      columns={[{ header: text.field, render: field }, ...columns]}
      rowProps={(row) => (markOf(row) === undefined ? {} : { style: { background: 'var(--hr-hover)' } })}
      minWidth={MIN_COLUMN * (columns.length + 1)}
    />
  );
}

/** A value as people read it. A masked IBAN is in groups already. */
function shownValue(name: string, value: string | undefined): string {
  if (value === undefined) return DASH;
  return name === 'iban' && !isMasked(value) ? groupedIban(value) : value;
}
