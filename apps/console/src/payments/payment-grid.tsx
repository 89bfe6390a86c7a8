import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import type { DecimalSign } from '@hr/text/decimal';
import type { PaymentField } from '@hr/text/read-payment';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import { DraftState, useDraft } from '../components/draft.tsx';
import { Failure } from '../components/page.tsx';
import { bff, type BffError } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import type { Check, CheckedRow } from './check-payments.ts';
import { faultAt, gridColumns, GridTable } from './grid-table.tsx';
import { messages } from './messages.ts';
import { DecimalQuestion, Notice } from './payment-parts.tsx';
import classes from './payments.module.css';
import { faultText, submitMessages } from './submit-messages.ts';
import type { TableDraft } from './table-draft.ts';

interface PaymentGridProps {
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
export function PaymentGrid({ name: draftName, review }: PaymentGridProps): ReactNode {
  const text = useMessages(submitMessages);
  const { cells } = useMessages(messages);
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

  useHotkeys(
    [
      ['F8', () => go(1)],
      ['shift+F8', () => go(-1)],
    ],
    [],
  );

  if (keys.length === 0) {
    const { text: pasted = '' } = content;
    return (
      <Stack gap="md">
        <Textarea
          label={text.paste}
          description={text.pasteHint(format.list(gridColumns.map((name) => cells[name])))}
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

/** Why a table as a whole cannot be read. */
function TableFailure({ error }: { readonly error: BffError }): ReactNode {
  const text = useMessages(submitMessages);
  const { cells } = useMessages(messages);
  const format = useFormat();
  const { code, detail = '' } = error.problem.errors?.find(({ pointer }) => pointer === '/text') ?? {};
  if (code === undefined) return <Failure error={error} />;
  const names = detail.split(', ').map((name) => cells[name as PaymentField]);
  return (
    <Notice role="alert">
      {faultText(text, code)}
      {code.endsWith('-columns') && format.list(names)}
    </Notice>
  );
}
