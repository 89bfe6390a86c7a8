import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Admission, type Turn } from '../src/database/admission.ts';

const turns: Readonly<Record<string, Turn>> = {
  a: { clientId: 'a' },
  b: { clientId: 'b' },
  c: { clientId: 'c' },
  d: { clientId: 'd' },
  service: {},
  imports: { long: true, clientId: 'a' },
};

interface Waiting {
  readonly holder: string;
  readonly abort: AbortController;
}

/** An admission, and what its callers see of it. */
class Observed {
  readonly admission: Admission;
  readonly places: number;
  readonly admitted: { readonly holder: string; readonly leave: () => void }[] = [];
  readonly waiting: Waiting[] = [];
  readonly faults: unknown[] = [];
  /** Of each holder that waits, who was admitted since it waits or since its own last turn. */
  readonly overtakers = new Map<string, Set<string>>();

  constructor(places: number) {
    this.places = places;
    this.admission = new Admission(places);
  }

  held(holder: string): number {
    return this.admitted.filter((other) => other.holder === holder).length;
  }

  mayTake(holder: string): boolean {
    const free = this.places - this.admitted.length;
    if (holder === 'service') return free > 0;
    return holder === 'imports' ? free > 0 && this.held(holder) === 0 : free > this.held(holder);
  }

  arrive(holder: string): void {
    const entry: Waiting = { holder, abort: new AbortController() };
    if (!this.overtakers.has(holder)) this.overtakers.set(holder, new Set());
    this.waiting.push(entry);
    this.admission
      .enter({ ...turns[holder], signal: entry.abort.signal })
      .then(
        ({ leave }) => this.onAdmitted(entry, leave),
        () => this.remove(entry),
      )
      .catch((fault: unknown) => this.faults.push(fault));
  }

  onAdmitted(entry: Waiting, leave: () => void): void {
    const { holder } = entry;
    assert.ok(this.mayTake(holder), `${holder} takes too much`);
    // In order within a holder.
    assert.equal(
      this.waiting.find((other) => other.holder === holder),
      entry,
    );
    for (const [other, overtakers] of this.overtakers) {
      const isPassedOver = other !== holder && overtakers.has(holder) && this.mayTake(other);
      assert.ok(!isPassedOver, `${holder} has two turns before ${other} has one`);
      overtakers.add(holder);
    }
    this.admitted.push({ holder, leave });
    this.remove(entry);
    if (this.overtakers.has(holder)) this.overtakers.set(holder, new Set());
  }

  remove(entry: Waiting): void {
    this.waiting.splice(this.waiting.indexOf(entry), 1);
    if (!this.waiting.some(({ holder }) => holder === entry.holder)) this.overtakers.delete(entry.holder);
  }

  async leave(index: number): Promise<void> {
    const [left] = this.admitted.splice(index % this.admitted.length, 1);
    if (!left) return;
    const isAwaited = this.waiting.some(({ holder }) => this.mayTake(holder));
    // It is asked of pages of lists alone.
    if (left.holder !== 'imports') assert.equal(this.admission.isAwaited(turns[left.holder]?.clientId), isAwaited);
    left.leave();
    await setImmediate();
    this.check();
  }

  check(): void {
    assert.deepEqual(this.faults, []);
    assert.ok(this.admitted.length <= this.places);
    for (const holder of ['a', 'b', 'c', 'd']) {
      assert.ok(this.held(holder) <= Math.ceil(this.places / 2));
    }
    assert.deepEqual(
      this.waiting.filter(({ holder }) => this.mayTake(holder)),
      [],
    );
    assert.equal(this.admission.waiting, this.waiting.length);
  }
}

test('never admits too many, or too many of a client, and admits in turns whoever can be', async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ arrive: fc.constantFrom(...Object.keys(turns)) }) },
    { weight: 3, arbitrary: fc.record({ leave: fc.nat(100) }) },
    fc.record({ giveUp: fc.nat(100) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 12 }), fc.array(step, { maxLength: 80 }), async (places, steps) => {
      const observed = new Observed(places);
      const { admitted, waiting } = observed;
      /* oxlint-disable no-await-in-loop -- step by step */
      for (const action of steps) {
        if ('arrive' in action) observed.arrive(action.arrive);
        else if ('leave' in action) await observed.leave(action.leave);
        else waiting[action.giveUp % waiting.length]?.abort.abort();
        await setImmediate();
        observed.check();
      }
      while (admitted.length > 0) await observed.leave(0);
      /* oxlint-enable no-await-in-loop */
      expect([waiting, observed.admission.waiting]).toEqual([[], 0]);
    }),
    { numRuns: 300 },
  );
});
