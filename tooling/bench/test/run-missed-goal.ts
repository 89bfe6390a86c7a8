import { amount } from '../src/figures.ts';
import { runParts } from '../src/run-parts.ts';

// A part that misses its goal, with the reason of the argument.

const [, , missedBecause] = process.argv;
const goal = {
  measure: 'time',
  unit: 'ms',
  goal: '≤ 5',
  ...(missedBecause !== undefined && { missedBecause }),
} as const;
await runParts([{ name: 'slow', run: async () => [amount(goal, [6])] }], 100);
