import { useRef, type CSSProperties, type ReactNode } from 'react';
import { inLanes, laneCount, placeOf } from '../components/bars.ts';
import bars from '../components/grid.module.css';
import { useRemWidth } from '../components/use-rem-width.ts';
import { useFormat } from '../shell/format.ts';
import { useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';
import type { Booking, TimeDay } from './time-account.ts';
import css from './time.module.css';

const MINUTES_A_DAY = 1440;
const HOURS = [0, 6, 12, 18, 24];
const HOURS_A_DAY = 24;
/** Widths in rem, of a character of a label and of the room after it. */
const CHARACTER = 0.42;
const ROOM = 0.5;

/** The bookings of a day as marks from 0 to 24 h, with their times. Nothing is drawn between them. */
export function DayStrip({ day: { date, bookings } }: { readonly day: TimeDay }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { nameOf } = useLabels();
  const strip = useRef<HTMLDivElement>(null);
  const width = useRemWidth(strip);
  const shown = ofSameDate(bookings);
  // Times are above each other where they would overlap.
  const labels = inLanes(
    shown.map(({ time, minute }) => {
      const length = ((time.length * CHARACTER + ROOM) / width) * MINUTES_A_DAY;
      const start = Math.max(0, Math.min(minute, MINUTES_A_DAY - length));
      return { time, minute, start, end: start + length };
    }),
  );
  const words = format.list(shown.map(({ time, key }) => text.booking(time, nameOf('bookingKey', key))));
  return (
    <div
      ref={strip}
      className={css['strip']}
      style={{ '--lanes': laneCount(labels) } as CSSProperties}
      role="img"
      aria-label={text.stripLabel(format.date(date), words || text.noBookings)}
    >
      {labels.map(({ time, minute, start, lane }, index) => (
        // Two bookings may have the same time and key.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} style={{ '--lane': lane } as CSSProperties}>
          <span className={css['leader']} style={placeOf(MINUTES_A_DAY, minute)} />
          <span className={css['time']} style={{ left: placeOf(MINUTES_A_DAY, start).left }}>
            {time}
          </span>
        </div>
      ))}
      <Band bookings={bookings} />
      {HOURS.map((hour) => (
        <span key={hour} className={css['hour']} style={placeOf(HOURS_A_DAY, hour)}>
          {hour}
        </span>
      ))}
    </div>
  );
}

/** The marks alone, for a row of the table that has the times as text. */
export function Band({ bookings }: { readonly bookings: readonly Booking[] }): ReactNode {
  return (
    <div className={css['band']} aria-hidden>
      {HOURS.slice(1, -1).map((hour) => (
        <span key={hour} className={bars['line']} style={placeOf(HOURS_A_DAY, hour)} />
      ))}
      {ofSameDate(bookings).map(({ minute }, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index} className={bars['mark']} style={placeOf(MINUTES_A_DAY, minute)} />
      ))}
    </div>
  );
}

/** A booking of another date has no place on the strip; the list names it. */
function ofSameDate(bookings: readonly Booking[]): Booking[] {
  return bookings.filter(({ date }) => date === undefined);
}
