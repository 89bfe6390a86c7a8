import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { amount, fails, isMet, ratio } from '../src/figures.ts';
import { rowText } from '../src/results.ts';

const time = { measure: 'time', unit: 'ms', goal: '≤ 5' } as const;
const speed = { measure: 'speed', against: 'another', goal: '≥ 1.3' } as const;
const missedBecause = 'The disk is slow.';

test.each([
  { row: amount(time, [1, 4, 9]), met: true, failed: false, text: 'time: 4 ms (1 to 9), goal ≤ 5 met' },
  { row: amount(time, [5.001]), met: true, failed: false, text: 'time: 5 ms (5 to 5), goal ≤ 5 met' },
  { row: amount({ ...time, missedBecause }, [4]), met: true, failed: false, text: 'goal ≤ 5 met' },
  { row: amount({ ...time, missedBecause }, [6]), met: false, failed: false, text: `**missed**: ${missedBecause}` },
  { row: amount(time, [6]), met: false, failed: true, text: '**missed**: nobody has said why' },
  { row: amount(time, [Number.NaN]), met: false, failed: true, text: '**missed**' },
  { row: amount(time, []), met: false, failed: true, text: '**missed**' },
  { row: ratio(speed, [13, 13], [10, 10]), met: true, failed: false, text: 'speed / another: 1.3 ×' },
  { row: ratio(speed, [12, 13], [10, 10]), met: false, failed: true, text: 'goal ≥ 1.3 **missed**' },
])('$text', ({ row, met, failed, text }) => {
  expect([isMet(row), fails(row)]).toEqual([met, failed]);
  expect(rowText(row)).toContain(text);
});

test.each([
  { reason: [], status: 1, output: 'A goal is missed.' },
  { reason: [missedBecause], status: 0, output: '' },
])('a run with a missed goal and the reason $reason exits with $status', ({ reason, status, output }) => {
  const program = join(import.meta.dirname, 'run-missed-goal.ts');
  const run = spawnSync(process.execPath, ['--conditions=@hr/source', program, ...reason], { encoding: 'utf8' });
  expect([run.status, run.stderr.slice(0, output.length)]).toEqual([status, output]);
  expect(run.stdout).toContain(`goal ≤ 5 **missed**: ${reason[0] ?? 'nobody has said why'}`);
});
