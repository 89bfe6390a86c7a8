const CONCURRENCY = 8;

/** Yields the elements of the list of each id, in the order of the ids. Requests a few lists ahead. */
export async function* inOrder<Element>(
  ids: AsyncIterable<string> | Iterable<string>,
  load: (id: string) => PromiseLike<readonly Element[]>,
): AsyncGenerator<Element, void, undefined> {
  const pending: Promise<readonly Element[]>[] = [];
  for await (const id of ids) {
    const list = Promise.resolve(load(id));
    // A failure is reported when its turn comes.
    list.catch(() => undefined);
    pending.push(list);
    // oxlint-disable-next-line no-await-in-loop -- the others are requested meanwhile
    if (pending.length === CONCURRENCY) yield* await (pending.shift() as Promise<readonly Element[]>);
  }
  // oxlint-disable-next-line no-await-in-loop -- all of them are requested
  for (const list of pending) yield* await list;
}
