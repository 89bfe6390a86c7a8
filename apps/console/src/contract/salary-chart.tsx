import { useElementSize } from '@mantine/hooks';
import { scaleBand, scaleLinear, type ScaleBand, type ScaleLinear } from 'd3-scale';
import { curveStepAfter, line } from 'd3-shape';
import { useId, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { useFormat } from '../shell/format.ts';
import { useLocale, useMessages } from '../shell/locale.tsx';
import { ComponentPattern } from './component-fill.tsx';
import css from './contract.module.css';
import { messages } from './messages.ts';
import type { SalaryMonth, SalaryTable } from './salary-table.ts';

interface SalaryChartProps {
  readonly salary: SalaryTable;
  /** Index of the month whose figures are shown. */
  readonly selected: number;
  readonly onSelect: (index: number) => void;
  /** The figures of the selected month in words. */
  readonly figures: string;
}

const PADDING = 16;
const STEPS = { top: 28, bottom: 158 };
const BARS = { top: 206, bottom: 366 };
const HEIGHT = 392;
const RIGHT = 76;
const CHARACTER = 7.2;
const MAX_MONTH_WIDTH = 64;
const MIN_PLOT_WIDTH = 240;
const MAX_BAR_WIDTH = 34;
/** A small value still shows. */
const MIN_BAR_HEIGHT = 3;
const LABEL_WIDTH = 62;
const LABEL_HEIGHT = 15;
const MONTHS_A_PAGE = 12;

type Scale = ScaleLinear<number, number>;

/** Total and base as steps over the stacked components of each month. A month without an entry is a gap. */
export function SalaryChart({ salary, selected, onSelect, figures }: SalaryChartProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { locale } = useLocale();
  const { ref, width } = useElementSize();
  const { months, components } = salary;
  const patterns = useId();

  const amounts = months.flatMap(({ total, base }) => [total, base].filter((value) => value !== undefined));
  const stacks = months.map(({ values }) => stacked(values));
  const ends = stacks.flatMap((bars) => bars.flatMap(({ from, to }) => [from, to]));
  const range = amounts.length === 0 ? [0, 0] : [Math.min(...amounts), Math.max(...amounts)];
  const steps = scaleLinear(range, [STEPS.bottom, STEPS.top]).nice(4);
  const bars = scaleLinear([Math.min(0, ...ends), Math.max(0, ...ends)], [BARS.bottom, BARS.top]).nice(4);
  const labels = [0, ...steps.ticks(4), ...bars.ticks(4)].map((tick) => format.number(tick).length);
  const left = Math.ceil(Math.max(...labels) * CHARACTER) + 10;
  const plot = Math.min(Math.max(width - left - RIGHT, 0), Math.max(MIN_PLOT_WIDTH, months.length * MAX_MONTH_WIDTH));
  const x = scaleBand(
    months.map(({ month }) => month),
    [left, left + plot],
  );
  const barWidth = Math.min(x.bandwidth() * 0.7, MAX_BAR_WIDTH);
  const shortMonth = new Intl.DateTimeFormat(locale, { month: 'short', year: '2-digit', timeZone: 'UTC' });
  const everyNth = Math.max(1, Math.ceil(LABEL_WIDTH / Math.max(x.bandwidth(), 1)));
  const middle = (month: string): number => (x(month) ?? 0) + x.bandwidth() / 2;
  const chosen = months[selected];
  const [from, to] = [format.month(months[0]?.month ?? ''), format.month(months.at(-1)?.month ?? '')];

  return (
    <div className={css['chart']} data-chart="salary">
      <div ref={ref}>
        <svg width={Math.max(width, 0)} height={HEIGHT} role="img" aria-label={text.chartLabel(from, to)}>
          <defs>
            {components.map((id, index) => (
              <ComponentPattern key={id} id={`${patterns}${index}`} index={index} />
            ))}
          </defs>
          {chosen && (
            <rect
              className={css['cursor']}
              x={x(chosen.month)}
              y={STEPS.top - 6}
              width={x.bandwidth()}
              height={BARS.bottom - STEPS.top + 12}
              rx={4}
            />
          )}
          <text className={css['panelTitle']} x={0} y={12}>
            {text.steps}
            {(steps.domain()[0] ?? 0) > 0 && <tspan className={css['note']}>{` · ${text.truncated}`}</tspan>}
          </text>
          <Axis scale={steps} from={left} to={left + plot} />
          <Steps months={months} x={x} y={steps} value="total" />
          <Steps months={months} x={x} y={steps} value="base" />
          <EndLabels months={months} x={left + plot + 8} y={steps} total={text.total} base={text.base} />
          <text className={css['panelTitle']} x={0} y={BARS.top - 16}>
            {text.components}
          </text>
          <Axis scale={bars} from={left} to={left + plot} />
          {stacks.map((parts, month) =>
            parts.map((part) => (
              <rect
                key={`${months[month]?.month} ${part.index}`}
                x={middle(months[month]?.month ?? '') - barWidth / 2}
                y={bars(Math.max(part.from, part.to))}
                width={barWidth}
                height={Math.max(Math.abs(bars(part.from) - bars(part.to)), MIN_BAR_HEIGHT)}
                fill={`url(#${patterns}${part.index})`}
              />
            )),
          )}
          <line className={css['zero']} x1={left} x2={left + plot} y1={bars(0)} y2={bars(0)} />
          {months.map(({ month }, index) =>
            (months.length - 1 - index) % everyNth === 0 ? (
              <text key={month} x={middle(month)} y={HEIGHT - 6} textAnchor="middle">
                {shortMonth.format(new Date(`${month}-01T00:00Z`))}
              </text>
            ) : undefined,
          )}
        </svg>
      </div>
      <MonthSlider
        label={text.chosenMonth}
        months={months.length}
        selected={selected}
        figures={figures}
        onSelect={onSelect}
        left={PADDING + left}
        width={plot}
      />
    </div>
  );
}

interface MonthSliderProps extends Omit<SalaryChartProps, 'salary'> {
  readonly label: string;
  readonly months: number;
  readonly left: number;
  readonly width: number;
}

/** Chooses the month under the pointer, or with the arrow keys. Screen readers say its figures. */
function MonthSlider({ label, months, selected, figures, onSelect, left, width }: MonthSliderProps): ReactNode {
  const choose = (index: number): void => onSelect(Math.min(Math.max(index, 0), months - 1));
  const onPointer = ({ currentTarget, clientX }: PointerEvent): void => {
    const box = currentTarget.getBoundingClientRect();
    choose(Math.floor(((clientX - box.left) / box.width) * months));
  };
  const onKey = (event: KeyboardEvent): void => {
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: selected - 1,
      ArrowDown: selected - 1,
      ArrowRight: selected + 1,
      ArrowUp: selected + 1,
      PageDown: selected - MONTHS_A_PAGE,
      PageUp: selected + MONTHS_A_PAGE,
      Home: 0,
      End: months - 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    choose(target);
  };
  return (
    <div
      // It lies over the chart and follows the pointer, as no input does.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={months}
      aria-valuenow={selected + 1}
      aria-valuetext={figures}
      className={css['slider']}
      style={{ left, width, top: PADDING + STEPS.top - 6, height: BARS.bottom - STEPS.top + 12 }}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onKeyDown={onKey}
    />
  );
}

function Axis({ scale, from, to }: { readonly scale: Scale; readonly from: number; readonly to: number }): ReactNode {
  const format = useFormat();
  return scale.ticks(4).map((tick) => (
    <g key={tick}>
      <line className={css['grid']} x1={from} x2={to} y1={scale(tick)} y2={scale(tick)} />
      <text x={from - 8} y={scale(tick)} dy="0.32em" textAnchor="end">
        {format.number(tick)}
      </text>
    </g>
  ));
}

interface StepsProps {
  readonly months: readonly SalaryMonth[];
  readonly x: ScaleBand<string>;
  readonly y: Scale;
  readonly value: 'total' | 'base';
}

function Steps({ months, x, y, value }: StepsProps): ReactNode {
  const path = line().curve(curveStepAfter);
  return runsOf(months, value).map((run) => {
    const points = run.map(({ month, amount }): [number, number] => [x(month) ?? 0, y(amount)]);
    const [lastX = 0, lastY = 0] = points.at(-1) ?? [];
    const [{ month } = { month: '' }] = run;
    return <path key={month} className={css[value]} d={path([...points, [lastX + x.bandwidth(), lastY]]) ?? ''} />;
  });
}

interface EndLabelsProps {
  readonly months: readonly SalaryMonth[];
  readonly x: number;
  readonly y: Scale;
  readonly total: string;
  readonly base: string;
}

/** The names of the lines at their ends. */
function EndLabels({ months, x, y, total, base }: EndLabelsProps): ReactNode {
  const last = (value: 'total' | 'base'): number | undefined => runsOf(months, value).at(-1)?.at(-1)?.amount;
  const [lastTotal, lastBase] = [last('total'), last('base')];
  const totalAt = lastTotal === undefined ? undefined : y(lastTotal);
  let baseAt = lastBase === undefined ? undefined : y(lastBase);
  if (totalAt !== undefined && baseAt !== undefined && Math.abs(totalAt - baseAt) < LABEL_HEIGHT) {
    baseAt = baseAt < totalAt ? totalAt - LABEL_HEIGHT : totalAt + LABEL_HEIGHT;
  }
  return (
    <>
      {totalAt !== undefined && (
        <text className={css['panelTitle']} x={x} y={totalAt} dy="0.32em">
          {total}
        </text>
      )}
      {baseAt !== undefined && (
        <text x={x} y={baseAt} dy="0.32em">
          {base}
        </text>
      )}
    </>
  );
}

interface Point {
  readonly month: string;
  readonly amount: number;
}

/** Months in a row that have the value. */
function runsOf(months: readonly SalaryMonth[], value: 'total' | 'base'): Point[][] {
  const runs: Point[][] = [];
  let isOpen = false;
  for (const { month, [value]: amount } of months) {
    if (amount !== undefined && !isOpen) runs.push([]);
    isOpen = amount !== undefined;
    if (amount !== undefined) runs.at(-1)?.push({ month, amount });
  }
  return runs;
}

/** The parts of a bar: positive values above zero, negative ones below. */
function stacked(values: SalaryMonth['values']): { index: number; from: number; to: number }[] {
  let [top, bottom] = [0, 0];
  return values.flatMap((value, index) => {
    if (value === null || value === 0) return [];
    const from = value > 0 ? top : bottom;
    const to = from + value;
    if (value > 0) top = to;
    else bottom = to;
    return [{ index, from, to }];
  });
}
