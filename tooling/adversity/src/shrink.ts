import type { Step } from './steps.ts';

const MAX_MINUTES = 30;

/**
 * Leaves steps out as long as the same law is broken without them (delta debugging).
 *
 * @param at the last step that had begun when it was found
 * @param isBroken plays steps, and says whether they break the law
 */
export async function shrink(
  steps: readonly Step[],
  { at }: { readonly at: number },
  isBroken: (steps: readonly Step[]) => Promise<boolean>,
): Promise<void> {
  const end = performance.now() + MAX_MINUTES * 60_000;
  const breaks = async (some: readonly Step[]): Promise<boolean> => performance.now() < end && (await isBroken(some));
  let smallest = steps.slice(0, at + 1);
  // oxlint-disable no-await-in-loop -- each attempt depends on the one before
  // Most faults need only the last steps.
  for (const count of [1, 8, 64, 512]) {
    const last = steps.slice(at + 1 - count, at + 1);
    if (count < smallest.length && (await breaks(last))) smallest = last;
  }
  for (let size = Math.ceil(smallest.length / 2), isSmaller = true; size > 1 || isSmaller;) {
    isSmaller = false;
    for (let from = 0; from < smallest.length && smallest.length > 1;) {
      const fewer = smallest.toSpliced(from, size);
      if (await breaks(fewer)) [smallest, isSmaller] = [fewer, true];
      else from += size;
    }
    size = Math.max(1, Math.floor(Math.min(size, smallest.length) / 2));
  }
  // oxlint-enable no-await-in-loop
}
