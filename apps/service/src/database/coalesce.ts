/**
 * Lets some work run one at a time. Calls during a run lead to one more run after it.
 *
 * @param work never rejects
 * @returns starts a run, and resolves when none is left
 */
export function coalesce(work: () => Promise<unknown>): () => Promise<void> {
  let isDue = false;
  let running: Promise<void> | undefined;

  async function runWhileDue(): Promise<void> {
    while (isDue) {
      isDue = false;
      // oxlint-disable-next-line no-await-in-loop -- one run after the other
      await work();
    }
    // Not a turn later: a call in between would start none.
    running = undefined;
  }

  return () => {
    isDue = true;
    running ??= runWhileDue();
    return running;
  };
}
