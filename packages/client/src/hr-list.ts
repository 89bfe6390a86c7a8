/**
 * A list that is requested when you use it. `await` resolves with the complete array or rejects. `for await` yields the
 * elements in constant memory; leaving the loop cancels the rest. Each iteration sends its own request. Awaiting the
 * same list twice sends one.
 *
 * @sealed
 * @example
 * ```ts
 * const persons = await hr.persons.list();
 * for await (const person of hr.persons.list()) console.log(person.id);
 * ```
 */
export interface HrList<Element> extends Promise<Element[]>, AsyncIterable<Element> {}

/** Creates a list of the elements that the generator of `start` yields. */
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
