import type { Terminal } from './terminal.ts';

/** A line that shows how far a command is. */
export interface Progress extends Disposable {
  update(done: number): void;
}

const INTERVAL_MS = 100;

/** Shows progress on a terminal, and nothing anywhere else. Disposing of it removes the line. */
export function progressLine(stderr: Terminal['stderr'], isWanted: boolean, label: string, total?: number): Progress {
  if (!isWanted || stderr.isTTY !== true) return { update() {}, [Symbol.dispose]() {} };
  let shownAt = -Infinity;
  const end = total === undefined ? '' : ` of ${total.toLocaleString('en')}`;
  return {
    update(done) {
      const now = performance.now();
      if (now - shownAt < INTERVAL_MS) return;
      shownAt = now;
      stderr.write(`\r\u001B[K${label} ${done.toLocaleString('en')}${end}`);
    },
    [Symbol.dispose]() {
      if (shownAt > -Infinity) stderr.write('\r\u001B[K');
    },
  };
}
