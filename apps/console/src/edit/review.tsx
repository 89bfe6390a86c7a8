import { groupedIban } from '@hr/text/iban';
import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { DASH, useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { warningsOf } from './check-fields.ts';
import { compare, type Row } from './comparison.ts';
import type { Draft } from './drafts.ts';
import classes from './edit.module.css';
import { fieldLabel, messages } from './messages.ts';
import type { EditKind, StoredValue } from './stored-value.ts';

interface ReviewProps {
  readonly kind: EditKind;
  readonly draft: Draft;
  /** What is stored now. */
  readonly stored: StoredValue;
  readonly onSave: () => void;
  readonly onBack: () => void;
}

/** What is stored beside what will be stored, and what the service will discard. */
export function Review({ kind, draft, stored, onSave, onBack }: ReviewProps): ReactNode {
  const { review: text, fields: labels, warnings: warningTexts, form } = useMessages(messages);
  const format = useFormat();
  const { input, hadSpaces, isSaving = false } = draft;
  const rows = compare(kind, stored, input);
  const discarded = rows.filter(({ change }) => change === 'discarded').map(({ name }) => fieldLabel(labels, name));
  const warnings = Object.entries(warningsOf(kind, stored, input));
  const isEmpty = rows.every(({ after }) => after === undefined);
  return (
    <Stack gap="md">
      <div className="panel">
        <ComparisonTable caption={text.caption} before={text.before} after={text.after} rows={rows} />
      </div>
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
        <Text key={name} className={classes['warning']}>
          <IconAlertTriangle size={16} aria-hidden />
          {fieldLabel(labels, name)}: {warningTexts[warning]}
        </Text>
      ))}
      {hadSpaces && !input.keepsIban && <Text c="dimmed">{`${labels['iban']}: ${form.spacesRemoved}`}</Text>}
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

interface ComparisonTableProps {
  readonly caption: string;
  readonly before: string;
  readonly after: string;
  readonly rows: readonly Row[];
}

/** Two values, field by field. */
export function ComparisonTable({ caption, before, after, rows }: ComparisonTableProps): ReactNode {
  const { review: text, fields: labels } = useMessages(messages);
  return (
    <table className={`${classes['table']} ${classes['stacked']}`}>
      <caption>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{text.field}</th>
          <th scope="col">{before}</th>
          <th scope="col">{after}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.name} data-changed={row.change === 'unchanged' ? undefined : row.change}>
            <th scope="row">
              {fieldLabel(labels, row.name)}
              {row.change !== 'unchanged' && <span className={classes['mark']}>{text.changes[row.change]}</span>}
            </th>
            <td data-label={before}>{shownValue(row.name, row.before)}</td>
            <td data-label={after}>{shownValue(row.name, row.after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A value as people read it. A masked IBAN is in groups already. */
export function shownValue(name: string, value: string | undefined): string {
  if (value === undefined) return DASH;
  return name === 'iban' && !value.includes('•') ? groupedIban(value) : value;
}
