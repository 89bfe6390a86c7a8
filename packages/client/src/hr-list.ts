/// <reference lib="esnext.disposable" preserve="true" />
import { cursorPattern } from '@hr/schemas/checks';
import type { Deadline } from './deadline.ts';
import { HrError } from './hr-error.ts';
import { hrPromise, type HrPromise, type HrResponse, type OnHead, type WithResponse } from './hr-promise.ts';

/**
 * A list that is requested when you use it: a method that returns one sends nothing before you `await` or iterate its
 * result. `await` resolves with the complete array or rejects. `for await` yields the elements in constant memory;
 * leaving the loop cancels the rest. Each iteration sends its own request. Awaiting the same list twice sends one.
 *
 * It is no `Promise`: for `catch` and `finally`, call an `async` function that awaits it. With `await using`, leaving the
 * block cancels what has not arrived.
 *
 * @sealed
 * @example
 * ```ts
 * const persons = await hr.persons.list();
 * for await (const person of hr.persons.list()) console.log(person.id);
 * ```
 */
export interface HrList<Element> extends PromiseLike<Element[]>, AsyncIterable<Element>, AsyncDisposable {
  /**
   * Pass it as `after` to a later call of `changes.get`, or of any list that accepts it, for what changed after this
   * response. A mirror does this by itself. It is the `HR-Cursor` of the last response: undefined before that begins, and
   * of a service that sends none.
   */
  readonly cursor: string | undefined;
  /** Resolves with the complete array and the head of its response. Awaiting the list, too, is the same request. */
  withResponse(): Promise<WithResponse<Element[]>>;
}

/** Values that arrived together, of a generator that takes back the error of `receive` with `throw`. */
interface Batch<Value> {
  readonly values: readonly Value[];
  /** Checks a value that the caller is about to receive. */
  receive(value: Value): void;
  /** To pause while the caller handles the values. The next batch resumes it. */
  readonly clock: Pick<Deadline, 'pause'>;
}

/** The batches of a response. */
export type Batches<Value> = AsyncGenerator<Batch<Value>, void, undefined>;

/** Sends a request for a list. */
type Start<Element> = (disposed: AbortSignal, onHead: OnHead) => Batches<Element>;

/** A list that sends its request when it is used. */
export class RequestedList<Element> implements HrList<Element> {
  readonly #start: Start<Element>;
  readonly #keep: ((element: Element) => boolean) | undefined;
  readonly #disposal = new AbortController();
  readonly #iterators: ElementIterator<Element>[] = [];
  #whole: HrPromise<Element[]> | undefined;
  /** Of the last response. */
  #head: HrResponse | undefined;

  /**
   * @param start - Sends a request for the list.
   * @param keep - Whether an element belongs to the list.
   */
  constructor(start: Start<Element>, keep?: (element: Element) => boolean) {
    this.#start = start;
    this.#keep = keep;
  }

  get cursor(): string | undefined {
    const cursor = this.#head?.headers.get('hr-cursor') ?? '';
    return cursorPattern.test(cursor) ? cursor : undefined;
  }

  [Symbol.asyncIterator](): AsyncIterator<Element, void, undefined> {
    const iterator = new ElementIterator(this.#request(), this.#keep, this.#disposal.signal);
    this.#iterators.push(iterator);
    return iterator;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- awaiting the list is what requests it
  then<Result = Element[], Rejected = never>(
    onResolved?: ((elements: Element[]) => Result | PromiseLike<Result>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Result | Rejected> {
    return this.#all().then(onResolved, onRejected);
  }

  withResponse(): Promise<WithResponse<Element[]>> {
    return this.#all().withResponse();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposal.abort();
    await Promise.allSettled([this.#whole, ...this.#iterators.map((iterator) => iterator.return())]);
  }

  #all(): HrPromise<Element[]> {
    this.#whole ??= hrPromise((onHead) => collect(this.#request(onHead), this.#keep));
    return this.#whole;
  }

  #request(onHead?: OnHead): Batches<Element> {
    return this.#start(this.#disposal.signal, (head) => {
      this.#head = head;
      onHead?.(head);
    });
  }
}

/** Receives all values. */
export async function collect<Value>(batches: Batches<Value>, keep?: (value: Value) => boolean): Promise<Value[]> {
  const all: Value[] = [];
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one batch after the other
    const { value: batch } = await batches.next();
    if (!batch) return all;
    try {
      for (const value of batch.values) {
        batch.receive(value);
        if (!keep || keep(value)) all.push(value);
      }
    } catch (error) {
      // oxlint-disable-next-line no-await-in-loop
      await batches.throw(error);
    }
  }
}

/** An asynchronous generator costs several times as much for each element. */
class ElementIterator<Element> implements AsyncIterableIterator<Element, void, undefined> {
  readonly #batches: Batches<Element>;
  readonly #keep: ((element: Element) => boolean) | undefined;
  readonly #disposed: AbortSignal;
  #batch: Batch<Element> | undefined;
  #at = 0;
  /** Calls that wait for another batch, and the last one of them. */
  #waiting = 0;
  #last: Promise<unknown> | undefined;

  constructor(batches: Batches<Element>, keep: ((element: Element) => boolean) | undefined, disposed: AbortSignal) {
    this.#batches = batches;
    this.#keep = keep;
    this.#disposed = disposed;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Element, void>> {
    return (this.#waiting === 0 && this.#take()) || this.#inTurn(() => this.#advance());
  }

  return(): Promise<IteratorResult<Element, void>> {
    return this.#inTurn(async () => {
      this.#batch = undefined;
      await this.#batches.return();
      return { done: true, value: undefined };
    });
  }

  /** The next element of the batch, if it has one. */
  #take(): Promise<IteratorResult<Element, void>> | undefined {
    const batch = this.#batch;
    if (!batch) return undefined;
    while (this.#at < batch.values.length) {
      const value = batch.values[this.#at++] as Element;
      try {
        batch.receive(value);
      } catch (error) {
        this.#batch = undefined;
        return this.#batches.throw(error) as Promise<never>;
      }
      if (!this.#keep || this.#keep(value)) return Promise.resolve({ done: false, value });
    }
    return undefined;
  }

  async #advance(): Promise<IteratorResult<Element, void>> {
    for (;;) {
      const taken = this.#take();
      if (taken) return taken;
      // oxlint-disable-next-line no-await-in-loop -- one batch after the other
      const { value: batch } = await this.#batches.next();
      // A disposed list must not look complete.
      if (!batch && this.#disposed.aborted) throw new HrError('aborted', 'The list was disposed.');
      if (!batch) return { done: true, value: undefined };
      batch.clock.pause();
      this.#batch = batch;
      this.#at = 0;
    }
  }

  /** Runs after the calls before, as those of a generator do. */
  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#waiting++;
    const turn = this.#last ? this.#last.then(work) : work();
    this.#last = turn.catch(() => undefined).finally(() => this.#waiting--);
    return turn;
  }
}
