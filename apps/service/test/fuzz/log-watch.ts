import { setImmediate } from 'node:timers/promises';
import { tellsValue } from './canaries.ts';
import type { Secrets } from './secrets.ts';

const MAX_TURNS = 2000;

/** Looks at every line of a log, and forgets it. */
export interface LogWatch {
  /** What is wrong with the line of a request, which comes when its answer has ended. */
  faultsOf(requestId: string): Promise<string[]>;
  /** What was wrong with all other lines. */
  otherFaults(): string[];
}

/** What is wrong with a line of a log. */
export function lineFaults(line: string, secrets: Secrets): string[] {
  const leaks = tellsValue(line) || secrets.leaks(line);
  return [
    ...(leaks ? [`The log tells a value: ${secrets.hide(line)}`] : []),
    ...(/"level":(?:50|"error")/.test(line) ? [`The log has an error: ${secrets.hide(line)}`] : []),
  ];
}

export function watchLog(log: string[], secrets: Secrets): LogWatch {
  const lines = new Map<string, string[]>();
  const others: string[] = [];

  function take(): void {
    for (const line of log.splice(0)) {
      const { requestId } = JSON.parse(line) as { requestId?: string };
      const faults = lineFaults(line, secrets);
      if (requestId === undefined) others.push(...faults);
      else lines.set(requestId, faults);
    }
  }
  return {
    async faultsOf(requestId) {
      for (let turn = 0; turn < MAX_TURNS; turn++) {
        take();
        const faults = lines.get(requestId);
        lines.delete(requestId);
        if (faults) return faults;
        // oxlint-disable-next-line no-await-in-loop -- it comes in one of the next turns
        await setImmediate();
      }
      return ['The log has no line of the request.'];
    },
    otherFaults() {
      take();
      return [...others, ...lines.values()].flat();
    },
  };
}
