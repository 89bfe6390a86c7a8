import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { bff, type BffError } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { Failure } from '../components/page.tsx';
import type { Check, CheckedRow } from './check-payments.ts';
import { DecimalQuestion } from './decimal-question.tsx';
import { useKeptInput } from './kept-input.ts';
import { gridColumns, GridTable } from './grid-table.tsx';
import { messages } from './messages.ts';
import type { CellName, Cells, DecimalSign } from './payment-cells.ts';
import { Notice } from './payment-parts.tsx';
import classes from './payments.module.css';
import { submitMessages } from './submit-messages.ts';

interface PaymentGridProps {
  readonly review: (check: Check) => void;
}

interface CheckRequest {
  readonly text?: string;
  readonly rows?: readonly Cells[];
  readonly decimalSign?: DecimalSign | undefined;
  readonly compare?: boolean;
}

const firstFault = (rows: readonly CheckedRow[]): number => rows.findIndex(({ row }) => row === undefined);

/** Takes a pasted table, shows what is wrong beside each cell, and lets a person correct it. */
export function PaymentGrid({ review }: PaymentGridProps): ReactNode {
  const text = useMessages(submitMessages);
  const { cells } = useMessages(messages);
  const format = useFormat();
  const [pasted, setPasted] = useKeptInput('table', '');
  const [rows, setRows] = useKeptInput<readonly Cells[]>('rows', []);
  const [sign, setSign] = useState<DecimalSign | undefined>();
  const [unread, setUnread] = useState<readonly string[]>([]);
  const [target, setTarget] = useState<number | undefined>();
  const check = useMutation<Check, BffError, CheckRequest>({
    mutationFn: (request) => bff.post('payments/check', { decimalSign: sign, ...request }),
    onSuccess: (checked, { text: table, compare }) => {
      if (table !== undefined) {
        setRows(checked.rows.map((row) => row.cells));
        setUnread(checked.unreadColumns);
      }
      if (!compare) return;
      const fault = firstFault(checked.rows);
      if (fault === -1) review(checked);
      else setTarget(fault);
    },
  });
  const recheck = (changed: readonly Cells[]): void => {
    setRows(changed);
    check.mutate({ rows: changed });
  };

  if (rows.length === 0) {
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
          onChange={({ currentTarget }) => setPasted(currentTarget.value)}
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
        </Group>
      </Stack>
    );
  }

  const checked = check.data?.rows;
  const faulty = checked?.filter(({ row }) => row === undefined).length ?? 0;
  const unknown = checked?.filter(({ person }) => person === undefined).length ?? 0;
  return (
    <Stack gap="md">
      {unread.length > 0 && <Text c="dimmed">{text.unread(format.list(unread))}</Text>}
      {check.data?.question && (
        <DecimalQuestion
          question={check.data.question}
          answer={(answer) => {
            setSign(answer);
            check.mutate({ rows, decimalSign: answer });
          }}
        />
      )}
      <GridTable
        rows={rows}
        checked={checked}
        target={target}
        reached={() => setTarget(undefined)}
        change={(index, name, value) =>
          setRows(rows.map((row, at) => (at === index ? { ...row, [name]: value } : row)))
        }
        commit={() => check.mutate({ rows })}
        remove={(index) => recheck(rows.filter((_, at) => at !== index))}
      />
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => recheck([...rows, {}])}
        >
          {text.addRow}
        </Button>
        <Button
          variant="subtle"
          size="xs"
          onClick={() => {
            setRows([]);
            check.reset();
          }}
        >
          {text.startOver}
        </Button>
      </Group>
      {check.error && <Failure error={check.error} />}
      <Group className={`panel ${classes['bar']}`} justify="space-between" gap="sm">
        <Group gap="sm">
          <Text aria-live="polite" fw={500}>
            {checked === undefined ? '\u00A0' : text.rowCount(rows.length, faulty, unknown)}
          </Text>
          {faulty > 0 && checked !== undefined && (
            <Button variant="default" size="xs" onClick={() => setTarget(firstFault(checked))}>
              {text.showFault}
            </Button>
          )}
        </Group>
        <Button
          size="xs"
          // A check of the cell that was left must not swallow the click.
          loading={check.isPending && check.variables.compare === true}
          onClick={() => check.mutate({ rows, compare: true })}
        >
          {text.review}
        </Button>
      </Group>
    </Stack>
  );
}

/** Why a table as a whole cannot be read. */
function TableFailure({ error }: { readonly error: BffError }): ReactNode {
  const text = useMessages(submitMessages);
  const { cells } = useMessages(messages);
  const format = useFormat();
  const { code = '', detail = '' } = error.problem.errors?.find(({ pointer }) => pointer === '/text') ?? {};
  const reason = text.faults[code];
  if (reason === undefined) return <Failure error={error} />;
  const names = detail.split(', ').map((name) => cells[name as CellName]);
  return (
    <Notice role="alert">
      {reason}
      {code.endsWith('-columns') && format.list(names)}
    </Notice>
  );
}
