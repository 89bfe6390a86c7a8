import {
  Alert,
  Box,
  Button,
  Divider,
  Group,
  SegmentedControl,
  Stack,
  Text,
  Title,
  VisuallyHidden,
} from '@mantine/core';
import { IconAlertTriangle, IconCashOff } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { DateInput } from '../components/date-input.tsx';
import { DownloadButton } from '../components/link.tsx';
import { Empty } from '../components/page.tsx';
import { ScrollTable, type TableColumn } from '../components/scroll-table.tsx';
import { useFormat } from '../shell/format.ts';
import { useLabels } from '../shell/labels.tsx';
import { useLocale, useMessages } from '../shell/locale.tsx';
import { messages as shared } from '../shell/messages.ts';
import type { ContractScreen, SalaryMonth, SalaryTable } from './contract-routes.ts';
import type { ContractSearch } from './contract-search.ts';
import css from './contract.module.css';
import { messages } from './messages.ts';
import { ComponentSwatch, SalaryChart } from './salary-chart.tsx';

interface SalarySectionProps {
  readonly data: ContractScreen;
  readonly search: ContractSearch;
  readonly show: (change: ContractSearch) => void;
}

/** The salary history of a range of months, as a chart and a table. */
export function SalarySection({ data, search, show }: SalarySectionProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { locale } = useLocale();
  const { colorOf } = useLabels();
  const { withheld } = useMessages(shared);
  const { contractId, salary, readAt, hasPay } = data;
  const { available, shown, months } = salary;
  if (!available) {
    return (
      <Empty icon={<IconCashOff size={32} />} title={text.noHistory}>
        {text.noHistoryReason}
      </Empty>
    );
  }
  const { from = shown?.from ?? '', to = shown?.to ?? '' } = search;
  const colors = salary.components.map((id, index) => [`--component-${index}`, colorOf('compensationComponent', id)]);
  return (
    <Box
      component="section"
      className={`panel ${css['series']}`}
      aria-label={text.salary}
      style={Object.fromEntries(colors)}
    >
      <Group justify="space-between" p="md" gap="sm">
        <Box>
          <Title order={2}>{text.salary}</Title>
          <Text c="dimmed" size="xs">
            {text.asOf(format.instant(readAt))}
          </Text>
        </Box>
        {hasPay ? (
          <Group gap="xs">
            <SegmentedControl
              size="xs"
              aria-label={text.view}
              value={search.view ?? 'chart'}
              onChange={(view) => show({ view: view === 'table' ? 'table' : undefined })}
              data={(['chart', 'table'] as const).map((value) => ({ value, label: text.views[value] }))}
            />
            {shown && (
              <DownloadButton path={`contracts/${encodeURIComponent(contractId)}/csv`} query={{ ...shown, locale }}>
                {text.csv}
              </DownloadButton>
            )}
          </Group>
        ) : (
          <Text c="dimmed">{withheld.pay}</Text>
        )}
      </Group>
      <Group px="md" pb="md" gap="sm" align="flex-end">
        <DateInput
          kind="month"
          label={text.from}
          value={from}
          onChange={(value, isValid) => isValid && show({ from: value, to: to < value ? value : to })}
        />
        <DateInput
          kind="month"
          label={text.to}
          value={to}
          onChange={(value, isValid) => isValid && show({ from: from > value ? value : from, to: value })}
        />
        <Group gap="xs">
          <Button variant="default" size="xs" onClick={() => show({ from: undefined, to: undefined })}>
            {text.latest}
          </Button>
          <Button variant="default" size="xs" onClick={() => show(available)}>
            {text.complete}
          </Button>
        </Group>
      </Group>
      {months.length > 0 ? (
        <Months salary={salary} hasPay={hasPay} hasChart={hasPay && search.view !== 'table'} />
      ) : (
        <Box p="md">
          <Empty icon={<IconCashOff size={32} />} title={text.noMonths}>
            {text.noMonthsReason(format.month(available.from), format.month(available.to))}
          </Empty>
        </Box>
      )}
    </Box>
  );
}

interface MonthsProps {
  readonly salary: SalaryTable;
  readonly hasPay: boolean;
  readonly hasChart: boolean;
}

function Months({ salary, hasPay, hasChart }: MonthsProps): ReactNode {
  const text = useMessages(messages);
  const { currency } = useLabels();
  const { months } = salary;
  const [chosen, setChosen] = useState<string>();
  const last = months.findLastIndex(({ hasEntry }) => hasEntry);
  const found = months.findIndex(({ month }) => month === chosen);
  const selected = found === -1 ? last : found;
  const month = months[selected];
  const gaps = months.filter(({ hasEntry }) => !hasEntry).length;
  const different = months.filter(({ differentSum }) => differentSum !== undefined).length;
  return (
    <>
      {different > 0 && (
        <Alert color="yellow" variant="outline" icon={<IconAlertTriangle />} mx="md" mb="md">
          {text.anyDiffers(different)}
        </Alert>
      )}
      <Divider />
      {hasChart && month && (
        <>
          <ChartAndFigures
            salary={salary}
            month={month}
            selected={selected}
            onSelect={(index) => setChosen(months[index]?.month)}
          />
          <Divider />
        </>
      )}
      <MonthsTable salary={salary} hasPay={hasPay} anyDiffers={different > 0} />
      <Text c="dimmed" size="xs" p="md">
        {hasPay && currency === undefined && text.noCurrency} {gaps > 0 && text.gaps(gaps)}
      </Text>
    </>
  );
}

interface ChartAndFiguresProps {
  readonly salary: SalaryTable;
  readonly month: SalaryMonth;
  /** Index of the month. */
  readonly selected: number;
  readonly onSelect: (index: number) => void;
}

/** The figures beside the chart are also its legend. Screen readers say them in a sentence. */
function ChartAndFigures({ salary, month, selected, onSelect }: ChartAndFiguresProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { nameOf } = useLabels();
  const { hasEntry, total, base, values, differentSum } = month;
  const components = salary.components.map((id, index) => ({
    id,
    name: nameOf('compensationComponent', id),
    value: values[index] ?? undefined,
  }));
  const stated = [
    { name: text.total, value: total },
    { name: text.base, value: base },
    ...components.filter(({ value }) => value !== undefined),
  ];
  const inWords = stated.map(({ name, value }) => `${name}: ${format.amount(value)}`).join('; ');
  const name = format.month(month.month);
  return (
    <div className={css['chartAndFigures']}>
      <SalaryChart
        salary={salary}
        selected={selected}
        onSelect={onSelect}
        figures={hasEntry ? `${name}. ${inWords}` : `${name}: ${text.gap}`}
      />
      <Stack gap={6} className={css['figures']}>
        <Text fw={600} data-figures={month.month}>
          {name}
        </Text>
        <Figure name={text.total} value={total} isStrong />
        <Figure name={text.base} value={base} />
        <Divider my={4} />
        {components.map(({ id, ...figure }, index) => (
          <Figure key={id} sample={<ComponentSwatch index={index} />} {...figure} />
        ))}
        {!hasEntry && <Text c="dimmed">{text.gap}</Text>}
        {differentSum !== undefined && (
          <Group gap={6} wrap="nowrap" align="flex-start" mt={4}>
            <IconAlertTriangle size={16} aria-hidden style={{ flexShrink: 0, marginTop: 2 }} />
            <Text size="sm">{text.differs(format.amount(differentSum))}</Text>
          </Group>
        )}
      </Stack>
    </div>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: number | undefined;
  readonly sample?: ReactNode;
  readonly isStrong?: boolean;
}

function Figure({ name, value, sample, isStrong }: FigureProps): ReactNode {
  const format = useFormat();
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      <Group gap={8} wrap="nowrap" miw={0}>
        {sample}
        <Box c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Box>
      </Group>
      <Text fw={isStrong ? 600 : 400}>{format.amount(value)}</Text>
    </Group>
  );
}

interface MonthsTableProps {
  readonly salary: SalaryTable;
  readonly hasPay: boolean;
  readonly anyDiffers: boolean;
}

/** The newest month first. */
function MonthsTable({ salary: { months, components }, hasPay, anyDiffers }: MonthsTableProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { nameOf } = useLabels();
  const sum: TableColumn<SalaryMonth> = {
    header: text.sum,
    figures: 'end',
    render: ({ differentSum }) =>
      differentSum !== undefined && (
        <Group gap={6} justify="flex-end" wrap="nowrap">
          <IconAlertTriangle size={14} aria-hidden />
          {format.amount(differentSum)}
        </Group>
      ),
  };
  const total: TableColumn<SalaryMonth> = {
    header: text.total,
    figures: 'end',
    render: (month) => (
      <Text span inherit {...(month.hasEntry ? { fw: 600 } : { c: 'dimmed' })}>
        {month.hasEntry ? format.amount(month.total) : text.gap}
      </Text>
    ),
  };
  const base: TableColumn<SalaryMonth> = {
    header: text.base,
    figures: 'end',
    render: (month) => month.hasEntry && format.amount(month.base),
  };
  const hasEntryOnly: TableColumn<SalaryMonth> = {
    header: text.salary,
    render: ({ hasEntry }) => (hasEntry ? text.entry : text.gap),
  };
  return (
    <ScrollTable
      caption={text.tableCaption(format.month(months[0]?.month ?? ''), format.month(months.at(-1)?.month ?? ''))}
      isFramed
      rows={months.toReversed()}
      keyOf={({ month }) => month}
      columns={[
        { header: text.month, render: ({ month }) => format.month(month) },
        ...(hasPay ? [total, base] : [hasEntryOnly]),
        ...components.map((id, index): TableColumn<SalaryMonth> => ({
          header: (
            <Group gap={6} justify="flex-end" wrap="nowrap">
              <ComponentSwatch index={index} />
              <VisuallyHidden>{text.component}</VisuallyHidden>
              {nameOf('compensationComponent', id)}
            </Group>
          ),
          figures: 'end',
          render: ({ hasEntry, values }) => hasEntry && format.amount(values[index] ?? undefined),
        })),
        ...(anyDiffers ? [sum] : []),
      ]}
    />
  );
}
