import { Popover, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import { dateOf, dayNumber, today, weekdayOf } from '../model/calendar.ts';
import { barsOf, laneCount, placeOf, type Bar, type Period } from './bars.ts';
import { useFocusReturn } from '../shell/use-focus-return.ts';
import classes from './grid.module.css';
import { rem, useRemWidth } from './use-rem-width.ts';
import { useRovingRows } from './use-roving-rows.ts';

/** Makes a part of a row a place that the arrow keys reach. */
interface RovingProps {
  readonly tabIndex: number;
  readonly 'data-item': number;
}

interface TimelineProps<Row, P extends Period> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly periodsOf: (row: Row) => readonly P[];
  readonly from: string;
  readonly to: string;
  /** A day that stands out. */
  readonly day: string | undefined;
  readonly nameHeading: string;
  readonly daysHeading: string;
  /** The days, above the rows. */
  readonly days: ReactNode;
  readonly renderName: (row: Row, props: RovingProps) => ReactNode;
  readonly bars: BarTexts<Row, P>;
}

interface BarTexts<Row, P extends Period> {
  /** What stands in the bar. */
  readonly text: (period: P) => string;
  /** The colour of its mark. */
  readonly color: (period: P) => string | undefined;
  /** Its name for a screen reader. */
  readonly label: (period: P) => string;
  /** What stands in a bar without an end. */
  readonly open: string;
  readonly detailsLabel: string;
  /** What a click on the bar shows. */
  readonly renderDetails: (row: Row, period: P, close: () => void) => ReactNode;
}

/** A longer range has weeks instead of days. */
export const MAX_WIDE_DAYS = 31;
/** Widths and heights in rem. */
const DAY_WIDTH = { wide: 1.5, narrow: 0.53 };
const CHARACTER_WIDTH = 0.42;
const TEXT_PADDING = 0.6;
const MIN_WIDTH_FOR_NAMES = 44;
const LANE_HEIGHT = 1.75;
const ROW_HEIGHT = { beside: 0.5, above: 1.75 };
/** The part of an open bar that is hatched at least. */
const MIN_HATCH = '1.75rem';
const OVERSCAN = 4;
const SATURDAY = 5;

/** Rows of bars over the days of a time range. */
export function Timeline<Row, P extends Period>(props: TimelineProps<Row, P>): ReactNode {
  const { label, rows, keyOf, periodsOf, from, to, day, bars: texts } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const areNamesAbove = useRemWidth(scroller) < MIN_WIDTH_FOR_NAMES;
  const first = dayNumber(from);
  const days = dayNumber(to) - first + 1;
  const chosen = day === undefined ? undefined : dayNumber(day) - first;
  /** How many days of the range are over, with today. */
  const past = dayNumber(today()) - first + 1;
  const places = useMemo(
    () => rows.map((row) => ({ row, bars: barsOf(periodsOf(row), from, to) })),
    [rows, periodsOf, from, to],
  );
  const { body, active, rangeExtractor, onFocus, onBlur, onKeyDown } = useRovingRows({
    rows: places,
    keyOf: ({ row }) => keyOf(row),
    // The name, and then the bars.
    itemsOf: ({ bars }) => bars.length + 1,
  });
  const [opened, setOpened] = useState<string>();

  // oxlint-disable-next-line react/incompatible-library -- this component draws the rows itself
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) =>
      (ROW_HEIGHT[areNamesAbove ? 'above' : 'beside'] + laneCount(places[index]?.bars ?? []) * LANE_HEIGHT) * rem(),
    getItemKey: (index) => (rows[index] === undefined ? index : keyOf(rows[index])),
    overscan: OVERSCAN,
    rangeExtractor,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, places, areNamesAbove]);

  // Where there is not enough room for all days, today is in sight.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || element.scrollWidth <= element.clientWidth) return;
    const share = Math.min(Math.max((past - 1) / days, 0), 1);
    element.scrollLeft = past > days ? 0 : share * element.scrollWidth - element.clientWidth / 2;
  }, [from, days, past]);

  const dayWidth = days > MAX_WIDE_DAYS ? DAY_WIDTH.narrow : DAY_WIDTH.wide;
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its rows take the focus
    <div
      ref={scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-colcount={2}
      className={`panel ${classes['timeline']} ${areNamesAbove ? classes['namesAbove'] : ''}`}
      style={{ '--days': `${days * dayWidth}rem` } as CSSProperties}
      onKeyDown={(event) => onKeyDown(event, event.currentTarget.clientHeight)}
    >
      <div role="rowgroup" className={classes['head']}>
        <div role="row" aria-rowindex={1} className={classes['row']}>
          <div role="columnheader" className={classes['name']}>
            {props.nameHeading}
          </div>
          <div role="columnheader" aria-label={props.daysHeading}>
            {props.days}
          </div>
        </div>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it sees which row has the focus */}
      <div
        role="rowgroup"
        ref={body}
        className={classes['body']}
        style={{ height: virtualizer.getTotalSize() }}
        onFocus={onFocus}
        onBlur={onBlur}
      >
        <div className={classes['backdrop']} aria-hidden>
          {Array.from({ length: days }, (_, start) => start)
            .filter((start) => weekdayOf(dateOf(first + start)) >= SATURDAY)
            .map((start) => (
              <div key={start} className={classes['weekend']} style={placeOf(days, start, start + 1)} />
            ))}
          {chosen !== undefined && <div className={classes['chosen']} style={placeOf(days, chosen, chosen + 1)} />}
          {past > 0 && past <= days && <div className={classes['mark']} style={placeOf(days, past - 0.5)} />}
        </div>
        {virtualizer.getVirtualItems().map(({ index, start, key }) => {
          const place = places[index];
          if (place === undefined) return null;
          const { row, bars } = place;
          const rovingProps = (item: number): RovingProps => ({
            tabIndex: active.row === index && active.item === item ? 0 : -1,
            'data-item': item,
          });
          return (
            <div
              key={key}
              ref={virtualizer.measureElement}
              role="row"
              aria-rowindex={index + 2}
              data-index={index}
              className={classes['row']}
              style={{ transform: `translateY(${start}px)`, '--lanes': laneCount(bars) } as CSSProperties}
            >
              <div role="rowheader" className={classes['name']}>
                {props.renderName(row, rovingProps(0))}
              </div>
              <div role="gridcell" className={classes['track']}>
                {bars.map((bar, item) => {
                  const id = `${keyOf(row)} ${bar.period.id}`;
                  return (
                    <TimelineBar
                      key={id}
                      {...{ bar, days, past, texts, row }}
                      rovingProps={rovingProps(item + 1)}
                      isOpened={opened === id}
                      setOpened={(isOpened) => setOpened(isOpened ? id : undefined)}
                    />
                  );
                })}
              </div>
            </div>
          );
        })}
      </div>
    </div>
  );
}

interface TimelineBarProps<Row, P extends Period> {
  readonly row: Row;
  readonly bar: Bar<P>;
  /** Number of days of the range, and of those until today. */
  readonly days: number;
  readonly past: number;
  readonly texts: BarTexts<Row, P>;
  readonly rovingProps: RovingProps;
  readonly isOpened: boolean;
  readonly setOpened: (opened: boolean) => void;
}

/** A period. A click shows its details. */
function TimelineBar<Row, P extends Period>(props: TimelineBarProps<Row, P>): ReactNode {
  const { row, bar, days, past, texts, rovingProps, isOpened, setOpened } = props;
  const { period, start, end, lane, startsBefore, endsAfter } = bar;
  const isOpen = period.endDate === undefined;
  const [left, right] = [startsBefore ? 0 : 1, endsAfter || isOpen ? 0 : 1];
  const place = {
    ...placeOf(days, start, end),
    '--lane': lane,
    '--tint': texts.color(period),
    borderWidth: `1px ${right}px 1px ${left}px`,
    borderRadius: `${4 * left}px ${4 * right}px ${4 * right}px ${4 * left}px`,
  } as CSSProperties;
  const text = texts.text(period);
  const dayWidth = DAY_WIDTH[days > MAX_WIDE_DAYS ? 'narrow' : 'wide'];
  const daysForText = (text.length * CHARACTER_WIDTH + TEXT_PADDING) / dayWidth;
  const hasRoom = end - start >= daysForText;
  const hasEdges = hasRoom && end - start > 1;
  // What is to come of an open period is not certain.
  const certain = placeOf(end - start, Math.min(Math.max(past - start, 0), end - start)).left;
  return (
    <>
      <UnstyledButton
        {...rovingProps}
        className={classes['bar']}
        style={place}
        aria-haspopup="dialog"
        aria-expanded={isOpened}
        onClick={() => setOpened(!isOpened)}
      >
        <VisuallyHidden>{texts.label(period)}</VisuallyHidden>
        {isOpen && <span className={classes['hatch']} style={{ left: `min(${certain}, calc(100% - ${MIN_HATCH}))` }} />}
        <span className={classes['label']} style={labelPlace(bar, daysForText)} aria-hidden>
          {startsBefore && hasEdges && <IconChevronLeft size="0.875rem" />}
          <span>{text}</span>
          {isOpen && <span className={classes['open']}>{texts.open}</span>}
          {endsAfter && hasEdges && <IconChevronRight className={classes['edge']} size="0.875rem" />}
        </span>
      </UnstyledButton>
      {isOpened && (
        <Details label={texts.detailsLabel} place={place} close={() => setOpened(false)}>
          {texts.renderDetails(row, period, () => setOpened(false))}
        </Details>
      )}
    </>
  );
}

interface DetailsProps {
  readonly label: string;
  /** Of the bar. */
  readonly place: CSSProperties;
  readonly close: () => void;
  readonly children: ReactNode;
}

function Details({ label, place, close, children }: DetailsProps): ReactNode {
  useFocusReturn();
  return (
    <Popover opened onChange={close} trapFocus withRoles={false} withArrow shadow="md" width={320}>
      <Popover.Target>
        <span className={classes['bar']} style={{ ...place, visibility: 'hidden' }} />
      </Popover.Target>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is placed beside the bar */}
      <Popover.Dropdown role="dialog" aria-label={label}>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}

/** The text of a narrow bar is beside it. Where the next one begins, the text ends. */
function labelPlace({ start, end, next }: Bar<Period>, daysForText: number): CSSProperties {
  if (end - start >= daysForText) return placeOf(end - start, 0, next - start);
  if (next - end < daysForText) return { left: 'auto', right: '100%', paddingRight: 3 };
  return { ...placeOf(end - start, end - start, next - start), paddingLeft: 3 };
}
