// oxlint-disable jsx-a11y/prefer-tag-over-role -- rows of a table cannot be placed over a backdrop
import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { useMessages } from '../shell/locale.tsx';
import { AbsenceBar, LANE_HEIGHT } from './absence-bar.tsx';
import { dayNumber, isWeekend, type AbsentPerson } from './absence-days.ts';
import classes from './absences.module.css';
import { today as dateToday } from '../model/calendar.ts';
import { DayHeader } from './day-header.tsx';
import { barsOf, laneCount } from './lanes.ts';
import { messages } from './messages.ts';

interface AbsencesTimelineProps {
  /** Those who are left by all filters. */
  readonly people: readonly AbsentPerson[];
  /** Those who are left by all filters but that of the day. */
  readonly counted: readonly AbsentPerson[];
  readonly from: string;
  readonly to: string;
  readonly rangeName: string;
  readonly day: string | undefined;
  readonly chooseDay: (day: string | undefined) => void;
}

/** A place that the keyboard is at: a row, and the name (-1) or an absence in it. */
interface Place {
  readonly row: number;
  readonly item: number;
}

const ROW_PADDING = 6;
const NAME_HEIGHT = 24;
const PAGE_ROWS = 10;
const MONTH_DAYS = 31;
const OVERSCAN = 4;
const DAY_WIDTH = { month: 24, quarter: 8.5 };

/** Absences over time, a row a person. */
export function AbsencesTimeline(props: AbsencesTimelineProps): ReactNode {
  const { people, counted, from, to, rangeName, day, chooseDay } = props;
  const text = useMessages(messages);
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const scroller = useRef<HTMLDivElement>(null);
  const today = dateToday();
  const first = dayNumber(from);
  const days = dayNumber(to) - first + 1;
  const byWeek = days > MONTH_DAYS;
  const past = dayNumber(today) - first + 1;

  const rows = useMemo(
    () => people.map((person) => ({ person, bars: barsOf(person.absences, from, to) })),
    [people, from, to],
  );
  const { place, setPlace, onKeyDown } = usePlace(rows);
  const [opened, setOpened] = useState<string>();
  const top = ROW_PADDING + (isNarrow ? NAME_HEIGHT - ROW_PADDING + 2 : 0);
  // oxlint-disable-next-line react/incompatible-library -- this component draws the rows itself
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => top + laneCount(rows[index]?.bars ?? []) * LANE_HEIGHT + ROW_PADDING - 4,
    getItemKey: (index) => rows[index]?.person.id ?? index,
    overscan: OVERSCAN,
    // The row with the focus stays, so that the keyboard goes on from there.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), ...(rows[place.row] ? [place.row] : [])])].toSorted(
        (a, b) => a - b,
      ),
  });
  useEffect(() => virtualizer.measure(), [virtualizer, rows, isNarrow]);
  useFocusOf(place, scroller, (row) => virtualizer.scrollToIndex(row));

  // Where there is not enough room for all days, today is in sight.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || element.scrollWidth <= element.clientWidth) return;
    const share = Math.min(Math.max((past - 1) / days, 0), 1);
    element.scrollLeft = past > days ? 0 : share * element.scrollWidth - element.clientWidth / 2;
  }, [from, days, past]);

  const at = (number: number): string => `${(number / days) * 100}%`;
  const size = { '--days': days, '--day': `${byWeek ? DAY_WIDTH.quarter : DAY_WIDTH.month}px` } as CSSProperties;
  return (
    <div
      ref={scroller}
      role="grid"
      tabIndex={-1}
      aria-label={text.timelineLabel(rangeName)}
      aria-rowcount={rows.length + 1}
      aria-colcount={2}
      className={`panel ${classes['scroller']}`}
      style={size}
      onKeyDown={onKeyDown}
    >
      <div className={classes['canvas']} role="presentation">
        <div role="row" aria-rowindex={1} className={classes['head']}>
          <div role="columnheader" className={classes['corner']}>
            {text.person}
          </div>
          <div role="columnheader" style={{ flex: 1, display: 'flex' }} aria-label={rangeName}>
            <DayHeader {...{ people: counted, from, days, byWeek, today }} chosen={day} choose={chooseDay} />
          </div>
        </div>
        <div role="presentation" style={{ position: 'relative', height: virtualizer.getTotalSize() }}>
          <div className={classes['backdrop']} aria-hidden>
            {Array.from({ length: days }, (_, index) => index)
              .filter((index) => isWeekend(first + index))
              .map((index) => (
                <div key={index} className={classes['weekend']} style={{ left: at(index), width: at(1) }} />
              ))}
            {day !== undefined && (
              <div className={classes['chosen']} style={{ left: at(dayNumber(day) - first), width: at(1) }} />
            )}
            {past > 0 && past <= days && <div className={classes['now']} style={{ left: at(past - 0.5) }} />}
          </div>
          {virtualizer.getVirtualItems().map(({ index, start, size: height, key }) => {
            const { person, bars } = rows[index] ?? { bars: [] };
            if (person === undefined) return undefined;
            const isActive = (item: number): boolean => place.row === index && place.item === item;
            return (
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                className={classes['row']}
                style={{ transform: `translateY(${start}px)`, height }}
                onFocus={({ target }) => {
                  const item = Number((target as HTMLElement).dataset['item'] ?? Number.NaN);
                  if (!Number.isNaN(item)) setPlace({ row: index, item });
                }}
              >
                <div role="rowheader" className={classes['name']}>
                  <Link
                    to="/people/$personId"
                    params={{ personId: person.id }}
                    title={person.name}
                    tabIndex={isActive(-1) ? 0 : -1}
                    data-row={index}
                    data-item={-1}
                  >
                    {person.name}
                  </Link>
                </div>
                <div role="gridcell" className={classes['track']} style={isNarrow ? { position: 'static' } : {}}>
                  {bars.map((bar, item) => (
                    <AbsenceBar
                      key={bar.absence.id}
                      {...{ person, bar, days, past, top, item }}
                      row={index}
                      isActive={isActive(item)}
                      isOpened={opened === `${person.id} ${bar.absence.id}`}
                      setOpened={(isOpened) => setOpened(isOpened ? `${person.id} ${bar.absence.id}` : undefined)}
                    />
                  ))}
                </div>
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface Rows extends ReadonlyArray<{ readonly bars: readonly unknown[] }> {}

/** Moves through rows with the arrow keys, and through a row from the name to its absences. */
function usePlace(rows: Rows): {
  readonly place: Place & { readonly isMoved: boolean };
  readonly setPlace: (place: Place) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
} {
  const [current, setCurrent] = useState({ row: 0, item: -1, isMoved: false });
  const row = Math.max(0, Math.min(current.row, rows.length - 1));
  const item = Math.min(current.item, (rows[row]?.bars.length ?? 0) - 1);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const { key, ctrlKey, target } = event;
    if ((target as HTMLElement).dataset['item'] === undefined) return;
    const last = rows.length - 1;
    const rowSteps: Readonly<Record<string, number>> = {
      ArrowUp: -1,
      ArrowDown: 1,
      PageUp: -PAGE_ROWS,
      PageDown: PAGE_ROWS,
    };
    const itemSteps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };
    const bars = rows[row]?.bars.length ?? 0;
    let next: Place;
    if (key in rowSteps) next = { row: Math.max(0, Math.min(last, row + (rowSteps[key] ?? 0))), item };
    else if (key in itemSteps) next = { row, item: Math.max(-1, Math.min(bars - 1, item + (itemSteps[key] ?? 0))) };
    else if (key === 'Home') next = ctrlKey ? { row: 0, item: -1 } : { row, item: -1 };
    else if (key === 'End') next = ctrlKey ? { row: last, item: -1 } : { row, item: bars - 1 };
    else return;
    event.preventDefault();
    setCurrent({ ...next, isMoved: true });
  };
  const setPlace = (place: Place): void => setCurrent({ ...place, isMoved: false });
  return { place: { row, item, isMoved: current.isMoved }, setPlace, onKeyDown };
}

/** Moves the focus to a place that the keyboard chose, once its row is drawn. */
function useFocusOf(
  { row, item, isMoved }: Place & { readonly isMoved: boolean },
  scroller: { readonly current: HTMLElement | null },
  scrollTo: (row: number) => void,
): void {
  useEffect(() => {
    if (!isMoved) return;
    scrollTo(row);
    scroller.current?.querySelector<HTMLElement>(`[data-row="${row}"][data-item="${item}"]`)?.focus();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a new place moves the focus
  }, [row, item, isMoved]);
}
