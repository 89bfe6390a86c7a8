import type { Write } from './writes.ts';

/** What a read finds: the values of registers, and how often each marker is stored. */
export interface Stored {
  readonly registers: ReadonlyMap<string, string>;
  readonly markers: ReadonlyMap<string, number>;
}

/** What may have come of a request. */
export type Outcome = 'stored' | 'refused' | 'unknown';

interface Register {
  acknowledged?: string;
  /** Of requests after it, of which nobody knows whether they were stored. */
  readonly possible: Set<string>;
}

/** Remembers what was acknowledged. The requests about a register are sent one after the other. */
export class Ledger {
  readonly #registers = new Map<string, Register>();
  /** The markers that were sent, and whether one was acknowledged. */
  readonly #markers = new Map<string, boolean>();

  note({ register, value = '', marker }: Write, outcome: Outcome): void {
    if (outcome === 'refused') return;
    if (marker !== undefined) {
      this.#markers.set(marker, outcome === 'stored' || (this.#markers.get(marker) ?? false));
    }
    // Of one that is named by its response, nothing is known without it.
    if (register === undefined || register.endsWith(' ')) return;
    const known: Register = this.#registers.get(register) ?? { possible: new Set() };
    this.#registers.set(register, known);
    if (outcome === 'unknown') known.possible.add(value);
    else {
      known.acknowledged = value;
      known.possible.clear();
    }
  }

  /** What is wrong with what is stored: a law, and where it does not hold. */
  faults({ registers, markers }: Stored): { readonly law: string; readonly place: string }[] {
    const lost = [...this.#registers].filter(([name, { acknowledged, possible }]) => {
      const now = registers.get(name) ?? 'gone';
      return acknowledged !== undefined && now !== acknowledged && !possible.has(now);
    });
    const missing = [...this.#markers].filter(([marker, isStored]) => isStored && !markers.has(marker));
    const twice = [...markers].filter(([marker, count]) => count > 1 && this.#markers.has(marker));
    return [
      ...lost.map(([name, { acknowledged, possible }]) => ({
        law: `An acknowledged change of ${/^\w+/.exec(name)?.[0]} is lost`,
        place: `${name} is ${registers.get(name) ?? 'gone'}; acknowledged ${acknowledged}, possible ${[...possible].join(', ') || 'nothing else'}`,
      })),
      ...missing.map(([marker]) => ({ law: 'What was acknowledged is lost', place: marker })),
      ...twice.map(([marker, count]) => ({ law: 'Something is stored twice', place: `${marker}: ${count} times` })),
    ];
  }
}
