import { ActionIcon, Button, Group, Stack, Text, Textarea, TextInput, VisuallyHidden } from '@mantine/core';
import { useHotkeys, type HotkeyItem } from '@mantine/hooks';
import type { DecimalSign } from '@hr/text/decimal';
import type { PaymentField } from '@hr/text/read-payment';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { DraftState, useDraft } from '../components/draft.tsx';
import { Warning } from '../components/form.tsx';
import { Grid, type GridColumn } from '../components/grid.tsx';
import { Failure } from '../components/page.tsx';
import { bff, type BffError } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import type { Check, CheckedRow } from './check-payments.ts';
import { messages } from './messages.ts';
import { DecimalQuestion, FailureReason, faultText, Notice } from './payment-parts.tsx';
import { valueNames } from './payment-table.tsx';
import classes from './payments.module.css';
import type { TableDraft } from './submissions.ts';

/** In the order in which a table without names of columns has them. */
const gridColumns: readonly PaymentField[] = [
  'contractId',
  'billingPeriod',
  'correctionPeriod',
  'compensationComponentId',
  ...valueNames,
];
/** A value is never cut off. */
const widths: Partial<Record<PaymentField, string>> = {
  billingPeriod: '7.25rem',
  correctionPeriod: '6.5rem',
  compensationComponentId: '5.25rem',
  amount: '6.75rem',
  hours: '4.25rem',
  days: '3.75rem',
  hourlyFactor: '6rem',
  percentage: '5.25rem',
};
const ROW_HEIGHT = 3.625;

/** What is wrong with a cell. What concerns the whole row stands at a cell where it can be corrected. */
function faultAt(checked: CheckedRow | undefined, name: PaymentField): CheckedRow['faults'][number] | undefined {
  return checked?.faults.find(({ field, code }) => (field ?? (code === 'rule' ? 'amount' : 'contractId')) === name);
}

export interface FieldsProps {
  /** Of the draft. */
  readonly name: string;
  readonly review: (check: Check) => void;
}

interface CheckRequest {
  readonly text?: string;
  /** Of the rows to check, instead of a text. */
  readonly keys?: readonly string[];
  readonly decimalSign?: DecimalSign;
  readonly compare?: boolean;
}

/** Takes a pasted table, shows what is wrong beside each cell, and lets a person correct it. */
export function PaymentGrid({ name: draftName, review }: FieldsProps): ReactNode {
  const text = useMessages(messages);
  const draft = useDraft<TableDraft>(draftName);
  const { content = {} } = draft;
  const { rows = {}, unread = [], refused = {} } = content;
  const format = useFormat();
  const [checked, setChecked] = useState<Readonly<Record<string, CheckedRow>>>({});
  const [question, setQuestion] = useState<Check['question']>();
  const [only, setOnly] = useState<ReadonlySet<string>>();
  const [target, setTarget] = useState<number>();
  const keys = Object.keys(rows);
  const faulty = keys.filter((key) => checked[key] && checked[key].row === undefined);
  const faultyKeys = new Set(faulty);
  const shown = keys
    .map((key, index) => ({ key, number: index + 1, cells: rows[key] ?? {}, refusal: refused[key] }))
    .filter(({ key }) => only === undefined || only.has(key) || faultyKeys.has(key));

  const set = (changes: TableDraft): void => {
    const next = { ...content, ...changes };
    draft.change(next, Boolean(next.text) || Object.keys(next.rows ?? {}).length > 0);
  };
  const check = useMutation<Check, BffError, CheckRequest>({
    mutationFn: ({ keys: some, ...request }) =>
      bff.post('payments/check', {
        decimalSign: content.decimalSign,
        ...(some && { rows: some.map((key) => rows[key] ?? {}) }),
        ...request,
      }),
    onSuccess: (result, { text: table, keys: some = Object.keys(result.rows), compare }) => {
      const found = Object.fromEntries(some.map((key, index) => [key, result.rows[index] as CheckedRow]));
      setChecked((before) => ({ ...before, ...found }));
      setQuestion((before) => result.question ?? before);
      if (table !== undefined) {
        const read = Object.entries(found).map(([key, row]) => [key, row.cells]);
        set({ rows: Object.fromEntries(read), unread: result.unreadColumns });
      }
      if (compare && result.rows.every(({ row }) => row)) review(result);
      else if (compare) go(1, found);
    },
  });
  const unchecked = keys.filter((key) => checked[key] === undefined);
  useEffect(() => {
    if (unchecked.length > 0 && !check.isPending && !check.error) check.mutate({ keys: unchecked });
  });

  /** Gives the focus to the next or previous fault. */
  function go(step: 1 | -1, by = checked): void {
    const areFaulty = shown.flatMap(({ key }) => gridColumns.map((name) => faultAt(by[key], name) !== undefined));
    const from = Number(document.activeElement?.getAttribute('data-cell') ?? -1);
    const next = step > 0 ? areFaulty.indexOf(true, from + 1) : areFaulty.lastIndexOf(true, from - 1);
    const around = step > 0 ? areFaulty.indexOf(true) : areFaulty.lastIndexOf(true);
    setTarget(next === -1 ? around : next);
  }

  const keysOfFaults: HotkeyItem[] = [
    ['F8', () => go(1)],
    ['shift+F8', () => go(-1)],
  ];
  useHotkeys(keysOfFaults, []);

  if (keys.length === 0) {
    const { text: pasted = '' } = content;
    return (
      <Stack gap="md">
        <Textarea
          label={text.paste}
          description={text.pasteHint(format.list(gridColumns.map((name) => text.cells[name])))}
          placeholder={text.pasteExample}
          autosize
          minRows={8}
          maxRows={20}
          value={pasted}
          onChange={({ currentTarget }) => set({ text: currentTarget.value })}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', tabSize: 18 } }}
        />
        {check.error && <TableFailure error={check.error} />}
        <Group>
          <Button
            disabled={pasted.trim() === ''}
            loading={check.isPending}
            onClick={() => check.mutate({ text: pasted })}
          >
            {text.readTable}
          </Button>
          <DraftState name={draftName} />
        </Group>
      </Stack>
    );
  }
  const isAmbiguous = faulty.some((key) => checked[key]?.faults.some(({ code }) => code === 'ambiguous-number'));
  const unknown = keys.filter((key) => checked[key]?.person === undefined).length;
  return (
    <Stack gap="md">
      {unread.length > 0 && <Text c="dimmed">{text.unread(format.list(unread))}</Text>}
      {isAmbiguous && question && (
        <DecimalQuestion
          question={question}
          answer={(decimalSign) => {
            set({ decimalSign });
            check.mutate({ keys, decimalSign });
          }}
        />
      )}
      <GridTable
        rows={shown}
        checked={checked}
        target={target}
        reached={() => setTarget(undefined)}
        change={(key, name, value) =>
          set({ rows: { ...rows, [key]: { ...rows[key], [name]: value } }, refused: without(refused, key) })
        }
        commit={(key) => check.mutate({ keys: [key] })}
        remove={(key) => {
          set({ rows: without(rows, key), refused: without(refused, key) });
          setChecked(without(checked, key));
        }}
      />
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => set({ rows: { ...rows, [Number(keys.at(-1)) + 1]: {} } })}
        >
          {text.addRow}
        </Button>
      </Group>
      {check.error && <Failure error={check.error} />}
      <Group className={`panel ${classes['bar']}`} justify="space-between" gap="sm">
        <Group gap="xs" aria-live="polite">
          {faulty.length === 0 && only === undefined ? (
            <Text fw={500}>{unchecked.length === 0 && text.rowCount(keys.length, unknown)}</Text>
          ) : (
            <>
              <Button
                variant={only ? 'outline' : 'default'}
                size="xs"
                aria-pressed={only !== undefined}
                onClick={() => setOnly(only ? undefined : faultyKeys)}
              >
                {text.faultyRows(faulty.length)}
              </Button>
              <Text size="xs" c="dimmed" visibleFrom="sm">
                {text.faultKeys}
              </Text>
            </>
          )}
        </Group>
        <Group gap="xs">
          <DraftState name={draftName} />
          <Button
            size="xs"
            // A check of the cell that was left must not swallow the click.
            loading={check.isPending && check.variables.compare === true}
            onClick={() => check.mutate({ keys, compare: true })}
          >
            {text.review}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

function without<Value>(values: Readonly<Record<string, Value>>, key: string): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).filter(([other]) => other !== key));
}

interface GridRow {
  readonly key: string;
  readonly number: number;
  readonly cells: CheckedRow['cells'];
  /** Why the service refused it. */
  readonly refusal: NonNullable<TableDraft['refused']>[string] | undefined;
}

interface GridTableProps {
  readonly rows: readonly GridRow[];
  /** By the keys of the rows. */
  readonly checked: Readonly<Record<string, CheckedRow>>;
  readonly change: (key: string, name: PaymentField, value: string) => void;
  /** A cell that was changed lost the focus. */
  readonly commit: (key: string) => void;
  readonly remove: (key: string) => void;
  /** Number of the cell that is to get the focus, counted row by row. */
  readonly target: number | undefined;
  readonly reached: () => void;
}

/** Rows of cells to edit, with what is wrong below each cell. */
function GridTable({ rows, checked, target, reached, remove, ...handlers }: GridTableProps): ReactNode {
  const text = useMessages(messages);
  const grid = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (target === undefined) return;
    const cell = grid.current?.querySelector<HTMLElement>(`[data-cell="${target}"]`);
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: 'center', inline: 'nearest' });
    reached();
  }, [target, reached]);

  const columns: readonly GridColumn<GridRow>[] = [
    { id: 'row', header: text.row, width: '2.5rem', card: [1, 'start'], render: ({ number }) => number },
    ...gridColumns.map((name, place): GridColumn<GridRow> => ({
      id: name,
      header: text.cells[name],
      width: widths[name] ?? 'minmax(7rem, 1fr)',
      card: [Math.floor(place / 2) + 3, place % 2 === 0 ? 'start' : 'end'],
      ...(isValue(name) && { figures: 'end' }),
      render: (row) => {
        const cell = rows.indexOf(row) * gridColumns.length + place;
        return <Cell {...handlers} name={name} row={row} cell={cell} checked={checked[row.key]} />;
      },
    })),
    {
      id: 'remove',
      header: <VisuallyHidden>{text.edit}</VisuallyHidden>,
      width: '1.75rem',
      card: [1, 'end'],
      render: ({ key, number }) => (
        <Group justify="flex-end">
          <ActionIcon variant="subtle" color="gray" aria-label={text.remove(number)} onClick={() => remove(key)}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ),
    },
  ];
  return (
    <div ref={grid}>
      <Grid
        label={text.submitTitle}
        columns={columns}
        rows={rows}
        keyOf={({ key }) => key}
        rowHeight={ROW_HEIGHT}
        isEditable
        drawn={target === undefined ? undefined : rows[Math.floor(target / gridColumns.length)]?.key}
      />
    </div>
  );
}

interface CellProps extends Pick<GridTableProps, 'change' | 'commit'> {
  readonly name: PaymentField;
  readonly row: GridRow;
  /** Its number in the table. */
  readonly cell: number;
  readonly checked: CheckedRow | undefined;
}

function Cell({ name, row, cell, checked, change, commit }: CellProps): ReactNode {
  const text = useMessages(messages);
  const { nameOf } = useLabels();
  const fault = faultAt(checked, name);
  const value = row.cells[name] ?? '';
  return (
    <>
      <TextInput
        size="xs"
        aria-label={text.cellOf(text.cells[name], row.number)}
        data-cell={cell}
        {...(isValue(name) && { classNames: { input: classes['numberInput'] } })}
        value={value}
        error={faultText(text, fault?.code)}
        onChange={({ currentTarget }) => change(row.key, name, currentTarget.value)}
        onBlur={() => {
          if (value !== (checked?.cells[name] ?? '')) commit(row.key);
        }}
      />
      {name === 'compensationComponentId' && (
        <Text fz="xs" c="dimmed">
          {nameOf('compensationComponent', value.trim(), '')}
        </Text>
      )}
      {name === 'contractId' && row.refusal && <FailureReason {...row.refusal} />}
      {name === 'contractId' &&
        checked !== undefined &&
        fault === undefined &&
        (checked.person === undefined ? (
          <Warning>{text.unknownContract}</Warning>
        ) : (
          <Text fz="xs" c="dimmed">
            {checked.person.name}
          </Text>
        ))}
    </>
  );
}

function isValue(name: PaymentField): boolean {
  return (valueNames as readonly PaymentField[]).includes(name);
}

/** Why a table as a whole cannot be read. */
function TableFailure({ error }: { readonly error: BffError }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { code, detail = '' } = error.problem.errors?.find(({ pointer }) => pointer === '/text') ?? {};
  if (code === undefined) return <Failure error={error} />;
  const names = detail.split(', ').map((name) => text.cells[name as PaymentField]);
  return (
    <Notice role="alert">
      {faultText(text, code)}
      {code.endsWith('-columns') && format.list(names)}
    </Notice>
  );
}
