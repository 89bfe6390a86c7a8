import { dayNumber } from '../model/calendar.ts';

/** A part of a scale. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a point or a part of a scale lies, for CSS. */
export function placeOf(length: number, start: number, end = start): { readonly left: string; readonly width: string } {
  return { left: `${(start / length) * 100}%`, width: `${((end - start) / length) * 100}%` };
}

/** Puts parts that overlap below each other. They are ordered by their start. */
export function inLanes<S extends Span>(spans: readonly S[]): (S & { readonly lane: number })[] {
  const ends: number[] = [];
  return spans.map((span) => {
    const free = ends.findIndex((taken) => taken <= span.start);
    const lane = free === -1 ? ends.length : free;
    ends[lane] = span.end;
    return { ...span, lane };
  });
}

/** How many lines parts take, at least one. */
export function laneCount(spans: readonly { readonly lane: number }[]): number {
  return spans.reduce((count, { lane }) => Math.max(count, lane + 1), 1);
}

/** Days from a first to a last one. Without a last one it goes on. */
export interface Period {
  readonly id: string;
  readonly startDate: string;
  readonly endDate?: string | undefined;
}

/** A period in a time range, in days since its first day. */
export interface Bar<P extends Period> extends Span {
  readonly period: P;
  readonly lane: number;
  /** Where the next one in its line starts, so that a text may go on until there. */
  readonly next: number;
  /** Whether it began before the range, or goes on after it. */
  readonly startsBefore: boolean;
  readonly endsAfter: boolean;
}

/** Places periods in a time range. They are ordered by their start. */
export function barsOf<P extends Period>(periods: readonly P[], from: string, to: string): Bar<P>[] {
  const first = dayNumber(from);
  const days = dayNumber(to) - first + 1;
  const bars = inLanes(
    periods.map((period) => {
      const { startDate, endDate } = period;
      const start = Math.max(0, dayNumber(startDate) - first);
      const end = endDate === undefined ? days : Math.min(days, dayNumber(endDate) - first + 1);
      return { period, start, end, startsBefore: startDate < from, endsAfter: endDate !== undefined && endDate > to };
    }),
  );
  return bars.map((bar, index) => ({
    ...bar,
    next: bars.slice(index + 1).find(({ lane }) => lane === bar.lane)?.start ?? days,
  }));
}
