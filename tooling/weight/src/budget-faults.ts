import { matchesGlob } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Budget } from './budgets.ts';
import { bundle } from './bundle.ts';

/** Below this part of its budget an import has become so light that the budget would not notice if it grew. */
const LEAST_PART = 0.75;
/** How many modules of a heavy import are named. */
const MAX_NAMED = 10;
const TABLE = 'tooling/weight/src/budgets.ts';

/** What is wrong with a budget, in sentences; nothing where it is kept. */
export async function budgetFaults({ from, name, kB, brings }: Budget): Promise<string[]> {
  const what = name === undefined ? from : `${name} of ${from}`;
  const { code, parts } = await bundle(`export ${name === undefined ? '*' : `{ ${name} }`} from '${from}';`);
  const size = brotliCompressSync(code).byteLength;
  const present = `${what} weighs ${inKB(size)}, and its budget is ${kB} kB.`;
  const others = parts.map((part) => part.name).filter((module) => !brings.some((glob) => matchesGlob(module, glob)));

  const faults: string[] = [];
  if (size > 1000 * kB) {
    const heaviest = parts.toSorted((one, other) => other.bytes - one.bytes).slice(0, MAX_NAMED);
    faults.push(
      `${present} If that is worth it, raise it in ${TABLE} and the README. Its heaviest modules, before they are minified:`,
      ...heaviest.map((part) => `  ${inKB(part.bytes)} ${part.name}`),
    );
  }
  if (size < 1000 * LEAST_PART * kB) faults.push(`${present} Lower it in ${TABLE} and the README.`);
  if (others.length > 0)
    faults.push(`${what} brings ${others.toSorted().join(', ')}. If it has to, say so in ${TABLE}.`);
  return faults;
}

function inKB(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`;
}
