import { Box, Divider, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Dictionary } from '../model/labels.ts';
import { useFormat, type Format } from '../shell/format.ts';
import { useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { ComponentSwatch } from './component-fill.tsx';
import { messages } from './messages.ts';
import type { SalaryMonth, SalaryTable } from './salary-table.ts';

interface MonthFiguresProps {
  readonly salary: SalaryTable;
  readonly month: SalaryMonth;
}

/** The figures of a month, which are also the legend of the chart. */
export function MonthFigures({ salary: { components }, month }: MonthFiguresProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { nameOf } = useLabels();
  const { total, base, values, differentSum, hasEntry } = month;
  return (
    <Stack gap={6}>
      <Text fw={600} data-figures={month.month}>
        {format.month(month.month)}
      </Text>
      <Figure name={text.total} value={format.amount(total)} isStrong />
      <Figure name={text.base} value={format.amount(base)} />
      <Divider my={4} />
      {components.map((id, index) => (
        <Figure
          key={id}
          sample={<ComponentSwatch index={index} />}
          name={nameOf('compensationComponent', id)}
          value={format.amount(values[index] ?? undefined)}
        />
      ))}
      {!hasEntry && <Text c="dimmed">{text.gap}</Text>}
      {differentSum !== undefined && (
        <Group gap={6} wrap="nowrap" align="flex-start" mt={4}>
          <IconAlertTriangle size={16} aria-hidden style={{ flexShrink: 0, marginTop: 2 }} />
          <Text size="sm">{text.differs(format.amount(differentSum))}</Text>
        </Group>
      )}
    </Stack>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly sample?: ReactNode;
  readonly isStrong?: boolean;
}

function Figure({ name, value, sample, isStrong }: FigureProps): ReactNode {
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Group gap={8} wrap="nowrap" miw={0}>
        {sample}
        <Box c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Box>
      </Group>
      <Text fw={isStrong ? 600 : 400}>{value}</Text>
    </Group>
  );
}

/** The figures of a month in a sentence, for screen readers. */
export function figuresInWords(
  { components }: SalaryTable,
  { month, hasEntry, total, base, values }: SalaryMonth,
  text: (typeof messages)['en'],
  format: Format,
  { nameOf }: Dictionary,
): string {
  if (!hasEntry) return `${format.month(month)}: ${text.gap}`;
  const parts = components.flatMap((id, index) => {
    const value = values[index];
    return value === null || value === undefined
      ? []
      : `${nameOf('compensationComponent', id, text.componentOf(id))}: ${format.amount(value)}`;
  });
  const all = [`${text.total}: ${format.amount(total)}`, `${text.base}: ${format.amount(base)}`, ...parts];
  return `${format.month(month)}. ${all.join('; ')}`;
}
