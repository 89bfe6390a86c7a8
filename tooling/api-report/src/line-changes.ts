import type { Line } from './outline.ts';

/** What a declaration lost or gained: the outermost lines, each with the lines around it. */
export interface LineChange {
  readonly line: Line;
  readonly around: readonly Line[];
}

export interface LineChanges {
  readonly lost: readonly LineChange[];
  readonly gained: readonly LineChange[];
}

/** What of some lines is gone or altered, and what is new. Their order makes no difference. */
export function lineChanges(before: readonly Line[], now: readonly Line[], around: readonly Line[] = []): LineChanges {
  const same = pairs(before, now, ({ all }) => all);
  const pairsOfHeads = pairs(same.onlyBefore, same.onlyNow, ({ head, after }) => `${after}${head}`);
  const inside = pairsOfHeads.both.map(([old, fresh]) => lineChanges(old.within, fresh.within, [...around, old]));
  return {
    lost: [...pairsOfHeads.onlyBefore.map((line) => ({ line, around })), ...inside.flatMap(({ lost }) => lost)],
    gained: [...pairsOfHeads.onlyNow.map((line) => ({ line, around })), ...inside.flatMap(({ gained }) => gained)],
  };
}

interface Pairs {
  readonly both: readonly (readonly [Line, Line])[];
  readonly onlyBefore: readonly Line[];
  readonly onlyNow: readonly Line[];
}

function pairs(before: readonly Line[], now: readonly Line[], keyOf: (line: Line) => string): Pairs {
  const left = Map.groupBy(now, keyOf);
  const both: [Line, Line][] = [];
  const onlyBefore: Line[] = [];
  for (const line of before) {
    const found = left.get(keyOf(line))?.shift();
    if (found) both.push([line, found]);
    else onlyBefore.push(line);
  }
  const rest = new Set(Array.from(left.values()).flat());
  return { both, onlyBefore, onlyNow: now.filter((line) => rest.has(line)) };
}
