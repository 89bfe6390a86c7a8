import { useElementSize } from '@mantine/hooks';
import { scaleLinear } from 'd3-scale';
import type { ReactNode } from 'react';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';
import type { Booking, TimeDay } from './time-account.ts';
import css from './time.module.css';

const MINUTES_A_DAY = 1440;
const HOURS = [0, 6, 12, 18, 24];
const MINUTES_AN_HOUR = 60;
const BAND_HEIGHT = 28;
const LEVEL_HEIGHT = 18;
const AXIS_HEIGHT = 18;
const CHARACTER = 6.6;
const MARGIN = 8;
const SMALL_HEIGHT = 14;

/** The bookings of a day as marks from 0 to 24 h, with their times. Nothing is drawn between them. */
export function DayStrip({ day }: { readonly day: TimeDay }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { ref, width } = useElementSize();
  const bookings = ofSameDate(day.bookings);
  const x = scaleLinear([0, MINUTES_A_DAY], [MARGIN, Math.max(width - MARGIN, MARGIN)]);
  const labels = placed(bookings, x, width);
  const levels = Math.max(1, ...labels.map(({ level }) => level + 1));
  const top = levels * LEVEL_HEIGHT + 4;
  const words = format.list(bookings.map(({ time, key }) => text.booking(time, key)));
  return (
    <div ref={ref}>
      <svg
        className={css['strip']}
        width={width}
        height={top + BAND_HEIGHT + AXIS_HEIGHT}
        role="img"
        aria-label={text.stripLabel(format.date(day.date), words || text.noBookings)}
      >
        <rect
          className={css['band']}
          x={x(0)}
          y={top}
          width={Math.max(x(MINUTES_A_DAY) - x(0), 0)}
          height={BAND_HEIGHT}
          rx={4}
        />
        {HOURS.map((hour) => (
          <g key={hour}>
            <line
              className={css['hour']}
              x1={x(hour * MINUTES_AN_HOUR)}
              x2={x(hour * MINUTES_AN_HOUR)}
              y1={top}
              y2={top + BAND_HEIGHT}
            />
            <text x={x(hour * MINUTES_AN_HOUR)} y={top + BAND_HEIGHT + 14} textAnchor="middle">
              {hour}
            </text>
          </g>
        ))}
        {labels.map(({ at, level }, index) => (
          // Two bookings may have the same time and key.
          // oxlint-disable-next-line react/no-array-index-key
          <g key={index}>
            <line className={css['leader']} x1={at} x2={at} y1={labelY(levels, level) + 3} y2={top} />
            <line className={css['mark']} x1={at} x2={at} y1={top} y2={top + BAND_HEIGHT} />
          </g>
        ))}
        {labels.map(({ label, from, level }, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <text key={index} className={css['time']} x={from} y={labelY(levels, level)}>
            {label}
          </text>
        ))}
      </svg>
    </div>
  );
}

/** The marks alone, for a row of the table that has the times as text. */
export function SmallDayStrip({ bookings }: Pick<TimeDay, 'bookings'>): ReactNode {
  return (
    <svg
      className={css['strip']}
      width="100%"
      height={SMALL_HEIGHT}
      viewBox={`0 0 ${MINUTES_A_DAY} ${SMALL_HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      <rect className={css['band']} width={MINUTES_A_DAY} height={SMALL_HEIGHT} vectorEffect="non-scaling-stroke" />
      {HOURS.slice(1, -1).map((hour) => (
        <line
          key={hour}
          className={css['hour']}
          x1={hour * MINUTES_AN_HOUR}
          x2={hour * MINUTES_AN_HOUR}
          y2={SMALL_HEIGHT}
        />
      ))}
      {ofSameDate(bookings).map(({ minute }, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <line key={index} className={css['mark']} x1={minute} x2={minute} y2={SMALL_HEIGHT} />
      ))}
    </svg>
  );
}

/** Baseline of a label. The lowest level is the nearest to the marks. */
function labelY(levels: number, level: number): number {
  return (levels - level) * LEVEL_HEIGHT - 5;
}

/** A booking of another date has no place on the strip; the list names it. */
function ofSameDate(bookings: readonly Booking[]): Booking[] {
  return bookings.filter(({ date }) => date === undefined);
}

interface PlacedLabel {
  readonly label: string;
  readonly at: number;
  readonly from: number;
  readonly level: number;
}

/** Places labels above each other where they would overlap. */
function placed(bookings: readonly Booking[], x: (minute: number) => number, width: number): PlacedLabel[] {
  const ends: number[] = [];
  return bookings.map(({ time, minute }) => {
    const length = time.length * CHARACTER;
    const at = x(minute);
    const from = Math.max(Math.min(at, width - length), 0);
    const free = ends.findIndex((end) => end <= from);
    const level = free === -1 ? ends.length : free;
    ends[level] = from + length + MARGIN;
    return { label: time, at, from, level };
  });
}
