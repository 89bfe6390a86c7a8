import { Alert, Box, Button, Divider, Group, SegmentedControl, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCashOff, IconDownload } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { bffAddress } from '../shell/bff.ts';
import { DateInput } from '../components/date-input.tsx';
import { useFormat } from '../shell/format.ts';
import { useLabels } from '../shell/labels.tsx';
import { useLocale, useMessages } from '../shell/locale.tsx';
import { Empty } from '../components/page.tsx';
import type { ContractScreen } from './contract-routes.ts';
import css from './contract.module.css';
import type { ContractSearch } from './contract-search.ts';
import { messages } from './messages.ts';
import { figuresInWords, MonthFigures } from './month-figures.tsx';
import { SalaryChart } from './salary-chart.tsx';
import { SalaryFigures } from './salary-figures.tsx';
import type { SalaryTable } from './salary-table.ts';

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
  const { contractId, salary, readAt } = data;
  const { available, shown, months } = salary;
  if (!available) {
    return (
      <Empty icon={<IconCashOff size={32} />} title={text.noHistory}>
        {text.noHistoryReason}
      </Empty>
    );
  }
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
        <Group gap="xs">
          <SegmentedControl
            size="xs"
            aria-label={text.view}
            value={search.view ?? 'chart'}
            onChange={(view) => show({ view: view === 'table' ? 'table' : undefined })}
            data={(['chart', 'table'] as const).map((value) => ({ value, label: text.views[value] }))}
          />
          {shown && (
            <Button
              renderRoot={({ children, ...props }) => (
                <a
                  {...props}
                  href={bffAddress(`contracts/${encodeURIComponent(contractId)}/csv`, { ...shown, locale })}
                  download
                >
                  {children}
                </a>
              )}
              variant="default"
              size="xs"
              leftSection={<IconDownload size={14} aria-hidden />}
            >
              {text.csv}
            </Button>
          )}
        </Group>
      </Group>
      <RangePicker salary={salary} search={search} show={show} />
      {months.length > 0 ? (
        <Months salary={salary} hasChart={search.view !== 'table'} />
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

function RangePicker({
  salary: { available, shown },
  search,
  show,
}: Omit<SalarySectionProps, 'data'> & { readonly salary: SalaryTable }): ReactNode {
  const text = useMessages(messages);
  const { from = shown?.from ?? '', to = shown?.to ?? '' } = search;
  return (
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
        <Button variant="default" size="xs" onClick={() => show({ ...available })}>
          {text.complete}
        </Button>
      </Group>
    </Group>
  );
}

function Months({ salary, hasChart }: { readonly salary: SalaryTable; readonly hasChart: boolean }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const labels = useLabels();
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
          <div className={css['chartAndFigures']}>
            <SalaryChart
              salary={salary}
              selected={selected}
              onSelect={(index) => setChosen(months[index]?.month)}
              figures={figuresInWords(salary, month, text, format, labels)}
            />
            <div className={css['figures']}>
              <MonthFigures salary={salary} month={month} />
            </div>
          </div>
          <Divider />
        </>
      )}
      <SalaryFigures salary={salary} />
      <Text c="dimmed" size="xs" p="md">
        {labels.currency === undefined && text.noCurrency} {gaps > 0 && text.gaps(gaps)}
      </Text>
    </>
  );
}
