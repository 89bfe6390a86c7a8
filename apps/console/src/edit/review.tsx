import { groupedIban } from '@hr/text/iban';
import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Warning } from '../components/form.tsx';
import { personTexts } from '../components/person-texts.ts';
import { DASH, useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages as shared } from '../components/messages.ts';
import { warningsOf } from './check-fields.ts';
import { compare, sentFields } from './comparison.ts';
import { ScrollTable, type TableColumn } from '../components/scroll-table.tsx';
import { fieldLabel, messages } from './messages.ts';
import type { EditKind, StoredValue } from './stored-value.ts';
import type { EditDraft } from './use-save.tsx';

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
export function Review({ kind, draft, stored, isSaving, onSave, onBack }: ReviewProps): ReactNode {
  const { review: text, warnings: warningTexts } = useMessages(messages);
  const labels = useMessages(personTexts);
  const { field } = useMessages(shared);
  const format = useFormat();
  const { input } = draft;
  const hadSpaces = Object.entries(sentFields(kind, input)).some(([name, value]) => value !== input.fields[name]);
  const rows = compare(kind, stored, input);
  const discarded = rows.filter(({ change }) => change === 'discarded').map(({ name }) => fieldLabel(labels, name));
  const warnings = Object.entries(warningsOf(kind, stored, input));
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
      {warnings.map(([name, warning]) => (
        <Warning key={name}>
          {fieldLabel(labels, name)}: {warningTexts[warning]}
        </Warning>
      ))}
      {hadSpaces && <Text c="dimmed">{field.spacesRemoved}</Text>}
      {input.keepsIban && <Text c="dimmed">{text.keptIban}</Text>}
      <Group gap="xs">
        <Button onClick={onSave} loading={isSaving}>
          {text.save}
        </Button>
        <Button variant="default" onClick={onBack} disabled={isSaving}>
          {text.back}
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
export function ComparisonTable<Row extends { readonly name: string }>({
  caption,
  rows,
  columns,
  markOf,
}: ComparisonTableProps<Row>): ReactNode {
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
export function shownValue(name: string, value: string | undefined): string {
  if (value === undefined) return DASH;
  return name === 'iban' && !value.includes('•') ? groupedIban(value) : value;
}
