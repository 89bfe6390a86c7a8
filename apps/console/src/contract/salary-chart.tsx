import { useElementSize } from '@mantine/hooks';
import { scaleBand, scaleLinear, type ScaleBand, type ScaleLinear } from 'd3-scale';
import { line, stack, stackOffsetDiverging } from 'd3-shape';
import { useId, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react';
import { useFormat } from '../shell/format.ts';
import { useLocale, useMessages } from '../shell/locale.tsx';
import type { SalaryMonth, SalaryTable } from './contract-routes.ts';
import css from './contract.module.css';
import { messages } from './messages.ts';

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
  // Positive values of a month are above zero, negative ones below.
  const series = stack<SalaryMonth, number>()
    .keys(components.keys())
    .value(({ values }, index) => values[index] ?? 0)
    .offset(stackOffsetDiverging)(months);
  const ends = series.flat(2);
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
  const [first, last] = [format.month(months[0]?.month ?? ''), format.month(months.at(-1)?.month ?? '')];

  return (
    <div className={css['chart']} data-chart="salary">
      <div ref={ref}>
        <svg width={Math.max(width, 0)} height={HEIGHT} role="img" aria-label={text.chartLabel(first, last)}>
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
          {series.map((component) =>
            component.map(([from, to], month) =>
              from === to ? undefined : (
                <rect
                  key={`${months[month]?.month} ${component.key}`}
                  x={middle(months[month]?.month ?? '') - barWidth / 2}
                  y={bars(to)}
                  width={barWidth}
                  height={Math.max(bars(from) - bars(to), MIN_BAR_HEIGHT)}
                  fill={`url(#${patterns}${component.key})`}
                />
              ),
            ),
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
  const path = line<readonly [place: number, amount: number | undefined]>()
    .x(([place]) => place)
    .y(([, amount = 0]) => y(amount))
    .defined(([, amount]) => amount !== undefined);
  const points = months.flatMap(({ month, [value]: amount }) => {
    const start = x(month) ?? 0;
    return [[start, amount] as const, [start + x.bandwidth(), amount] as const];
  });
  return <path className={css[value]} d={path(points) ?? ''} />;
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
  const endOf = (value: 'total' | 'base'): number | undefined => {
    const amount = months.findLast((month) => month[value] !== undefined)?.[value];
    return amount === undefined ? undefined : y(amount);
  };
  const totalAt = endOf('total');
  let baseAt = endOf('base');
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

const COLORS = 6;
const SIZE = 8;
/** Lines over the colour, so that components differ without it. More components than both repeat. */
const hatches = [
  undefined,
  'M-2 2 L2 -2 M0 8 L8 0 M6 10 L10 6',
  'M0 2 H8 M0 6 H8',
  'M2 0 V8 M6 0 V8',
  'M-2 6 L2 10 M0 0 L8 8 M6 -2 L10 2',
  'M0 4 H8 M4 0 V8',
  'M2 2 h1.5 v1.5 h-1.5 z M6 6 h1.5 v1.5 h-1.5 z',
] as const;

/** The pattern of the n-th component. It belongs into `defs`; fill with `url(#id)`. */
function ComponentPattern({ id, index }: { readonly id: string; readonly index: number }): ReactNode {
  const hatch = hatches[index % hatches.length];
  return (
    <pattern id={id} width={SIZE} height={SIZE} patternUnits="userSpaceOnUse">
      <rect width={SIZE} height={SIZE} fill={`var(--component-${index}, var(--series-${index % COLORS}))`} />
      {hatch !== undefined && (
        <path d={hatch} fill="none" stroke="var(--mantine-color-body)" strokeWidth={1.6} strokeOpacity={0.8} />
      )}
    </pattern>
  );
}

/** A sample of the pattern beside the name of the component. */
export function ComponentSwatch({ index }: { readonly index: number }): ReactNode {
  const id = useId();
  return (
    <svg width={14} height={14} aria-hidden style={{ flexShrink: 0 }}>
      <defs>
        <ComponentPattern id={id} index={index} />
      </defs>
      <rect width={14} height={14} rx={3} fill={`url(#${id})`} />
    </svg>
  );
}
