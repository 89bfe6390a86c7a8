/**
 * A list that is requested when you use it. `await` it for the whole array: it resolves completely or rejects. Iterate it
 * with `for await` for one element after the other, in constant memory; leaving the loop cancels the rest. Nothing is sent
 * before that. Each iteration is a request of its own; awaiting the same list twice is one.
 *
 * @sealed
 * @example
 * ```ts
 * const persons = await hr.persons.list();
 * for await (const person of hr.persons.list()) console.log(person.id);
 * ```
 */
export interface HrList<Element> extends Promise<Element[]>, AsyncIterable<Element> {}

/** A list whose elements come from the generator that `start` returns. */
export function hrList<Element>(start: () => AsyncGenerator<Element, void, undefined>): HrList<Element> {
  let whole: Promise<Element[]> | undefined;
  const load = () => (whole ??= collect(start()));
  return {
    [Symbol.toStringTag]: 'HrList',
    [Symbol.asyncIterator]: start,
    // oxlint-disable-next-line unicorn/no-thenable -- awaiting the list is what requests it
    then: (onResolved, onRejected) => load().then(onResolved, onRejected),
    catch: (onRejected) => load().catch(onRejected),
    finally: (onSettled) => load().finally(onSettled),
  };
}

async function collect<Element>(elements: AsyncIterable<Element>): Promise<Element[]> {
  const list: Element[] = [];
  for await (const element of elements) list.push(element);
  return list;
}
