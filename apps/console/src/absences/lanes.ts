import { dayNumber, type ShownAbsence } from './absence-days.ts';

/** An absence in a time range, in days since its first day. */
export interface Bar {
  readonly absence: ShownAbsence;
  /** Its line in the row: absences that overlap are below each other. */
  readonly lane: number;
  readonly start: number;
  /** Day after the last one. */
  readonly end: number;
  /** Where the next one in its line starts, so that a text may go on until there. */
  readonly next: number;
  /** Whether it began before the range, or goes on after it. */
  readonly startsBefore: boolean;
  readonly endsAfter: boolean;
}

/** Places the absences of a person in a time range. They are ordered by their start. */
export function barsOf(absences: readonly ShownAbsence[], from: string, to: string): Bar[] {
  const first = dayNumber(from);
  const days = dayNumber(to) - first + 1;
  const ends: number[] = [];
  const bars = absences.map((absence) => {
    const { startDate, endDate } = absence;
    const start = Math.max(0, startDate === undefined ? 0 : dayNumber(startDate) - first);
    const end = Math.min(days, endDate === undefined ? days : dayNumber(endDate) - first + 1);
    const free = ends.findIndex((taken) => taken <= start);
    const lane = free === -1 ? ends.length : free;
    ends[lane] = end;
    const startsBefore = startDate === undefined || startDate < from;
    return { absence, lane, start, end, startsBefore, endsAfter: endDate !== undefined && endDate > to };
  });
  return bars.map((bar, index) => ({
    ...bar,
    next: bars.slice(index + 1).find(({ lane }) => lane === bar.lane)?.start ?? days,
  }));
}

export function laneCount(bars: readonly Bar[]): number {
  return bars.reduce((count, { lane }) => Math.max(count, lane + 1), 1);
}
