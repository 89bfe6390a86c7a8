import type { BulkProgress } from '@hr/client';
import type { Terminal } from './terminal.ts';

/** Shows how far a command is. */
export interface Progress extends Disposable {
  update(progress: BulkProgress): void;
}

const INTERVAL_MS = 100;
/** A shorter pause is not worth a line. */
const LONG_PAUSE_MS = 5000;
const REPORT_INTERVAL_MS = 600_000;

/**
 * Shows progress in a line on a terminal. Disposing of it removes the line. In a log, it says only why a command waits, and
 * how long it takes.
 */
export function progressLine(stderr: Terminal['stderr'], isTerminal: boolean, label: string): Progress {
  let shownAt = -Infinity;
  return {
    update(progress) {
      const now = performance.now();
      const isLong = (progress.pause?.ms ?? 0) >= LONG_PAUSE_MS;
      const isDue = now - shownAt >= (isTerminal ? INTERVAL_MS : REPORT_INTERVAL_MS);
      if (isTerminal ? !isLong && !isDue : !isLong || !isDue) return;
      shownAt = now;
      stderr.write(isTerminal ? `\r\u001B[K${label} ${textOf(progress)}` : `${label} ${textOf(progress)}\n`);
    },
    [Symbol.dispose]() {
      if (isTerminal && shownAt > -Infinity) stderr.write('\r\u001B[K');
    },
  };
}

/** Such as `60 of 386, about 6 min left; waiting 57 s, because the limit of requests is reached`. */
function textOf({ done, total, msLeft, pause }: BulkProgress): string {
  const of = total === undefined ? '' : ` of ${total.toLocaleString('en')}`;
  const left = msLeft !== undefined && msLeft >= LONG_PAUSE_MS ? `, about ${durationText(msLeft)} left` : '';
  const isLimit = pause?.error === undefined || pause.error.code === 'rate-limited';
  const reason = isLimit ? 'the limit of requests is reached' : 'the HR Cloud does not respond';
  const waiting = pause && pause.ms >= LONG_PAUSE_MS ? `; waiting ${durationText(pause.ms)}, because ${reason}` : '';
  return `${done.toLocaleString('en')}${of}${left}${waiting}`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

function durationText(ms: number): string {
  if (ms < 1.5 * MINUTE_MS) return `${Math.ceil(ms / 1000)} s`;
  return ms < 1.5 * HOUR_MS ? `${Math.round(ms / MINUTE_MS)} min` : `${(ms / HOUR_MS).toFixed(1)} h`;
}
