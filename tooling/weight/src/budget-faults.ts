import { matchesGlob } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Budget } from './budgets.ts';
import { bundle } from './bundle.ts';
import { heaviestParts } from './heaviest-parts.ts';

/** Below this part of its budget an import has become so light that the budget would not notice if it grew. */
const LEAST_PART = 0.75;
const TABLE = 'tooling/weight/src/budgets.ts';

/** What is wrong with a budget, in sentences; nothing where it is kept. */
export async function budgetFaults({ from, name, kB, brings }: Budget): Promise<string[]> {
  const what = name === undefined ? from : `${name} of ${from}`;
  const { code, parts } = await bundle(`export ${name === undefined ? '*' : `{ ${name} }`} from '${from}';`);
  const size = brotliCompressSync(code).byteLength / 1000;
  const present = `${what} weighs ${size.toFixed(1)} kB, and its budget is ${kB} kB.`;
  const others = parts.map((part) => part.name).filter((module) => !brings.some((glob) => matchesGlob(module, glob)));

  const faults: string[] = [];
  if (size > kB) {
    faults.push(`${present} If that is worth it, raise it in ${TABLE} and the README.`);
    faults.push(`Before it is minified it holds\n${heaviestParts(parts)}`);
  }
  if (size < LEAST_PART * kB) faults.push(`${present} Lower it in ${TABLE} and the README.`);
  if (others.length > 0)
    faults.push(`${what} brings ${others.toSorted().join(', ')}. If it has to, say so in ${TABLE}.`);
  return faults;
}
