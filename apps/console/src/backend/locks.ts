/** Locks by name: of those who hold the same one, each begins when the one before has ended. */
export class Locks {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs work under a lock. */
  async hold<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const run = Promise.allSettled([this.#last.get(name)]).then(work);
    this.#last.set(name, run);
    try {
      return await run;
    } finally {
      if (this.#last.get(name) === run) this.#last.delete(name);
    }
  }
}
