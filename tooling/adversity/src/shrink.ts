import type { Finding } from './play.ts';
import type { Step } from './steps.ts';

const MAX_MINUTES = 15;

/**
 * Leaves steps out as long as the same law is broken without them (delta debugging), then parts of the requests.
 *
 * @param find plays steps, and says what it finds
 */
export async function shrink(
  steps: readonly Step[],
  { law, at }: Finding,
  find: (steps: readonly Step[]) => Promise<Finding | undefined>,
  note: (line: string) => void,
): Promise<readonly Step[]> {
  const end = performance.now() + MAX_MINUTES * 60_000;
  let smallest = steps;
  const breaks = async (some: readonly Step[]): Promise<boolean> => {
    if (performance.now() > end || (await find(some))?.law !== law) return false;
    smallest = some;
    note(`shrunk to ${some.length} steps`);
    return true;
  };
  // oxlint-disable no-await-in-loop -- each attempt depends on the one before
  const upTo = steps.slice(0, at + 1);
  // Most faults need only the last steps.
  for (const count of [1, 8, 64, upTo.length]) if (await breaks(upTo.slice(-count))) break;
  for (let size = Math.ceil(smallest.length / 2); size > 0;) {
    let isSmaller = false;
    for (let from = 0; from < smallest.length;) {
      if (smallest.length > 1 && (await breaks(smallest.toSpliced(from, size)))) isSmaller = true;
      else from += size;
    }
    if (size === 1 && !isSmaller) break;
    size = isSmaller ? Math.min(size, Math.ceil(smallest.length / 2)) : Math.floor(size / 2);
  }
  for (let index = 0; index < smallest.length; index++) {
    const step = smallest[index];
    if (step?.kind !== 'request' && step?.kind !== 'console') continue;
    for (const request of simpler(step.request)) await breaks(smallest.with(index, { ...step, request }));
  }
  // oxlint-enable no-await-in-loop
  return smallest;
}

type Request = Extract<Step, { kind: 'console' }>['request'];

function simpler(request: Request): Request[] {
  return [
    { ...request, chunked: false },
    { ...request, body: '' },
    { ...request, target: request.target.replace(/\?.*/, '') },
    // The first two of them are the host, and who sends it.
    ...(request.headers.length > 2 ? [{ ...request, headers: request.headers.slice(0, 2) }] : []),
  ];
}
