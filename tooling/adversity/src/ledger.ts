import type { Write } from './writes.ts';

/** What a read finds: the values of registers, and how often each marker is stored. */
export interface Stored {
  readonly registers: ReadonlyMap<string, string>;
  readonly markers: ReadonlyMap<string, number>;
}

/** Remembers what was acknowledged. The requests about a register are sent one after the other. */
export class Ledger {
  /** The acknowledged value of each register, and those that requests since then may have stored. */
  readonly #registers = new Map<string, { acknowledged?: string; readonly possible: Set<string> }>();
  /** The markers that were sent, and whether one was acknowledged. */
  readonly #markers = new Map<string, boolean>();

  note({ register, value = '', marker }: Write, outcome: 'stored' | 'refused' | 'unknown'): void {
    if (outcome === 'refused') return;
    const isStored = outcome === 'stored';
    if (marker !== undefined) this.#markers.set(marker, isStored || (this.#markers.get(marker) ?? false));
    // Of one that is named by its response, nothing is known without it.
    if (register === undefined || register.endsWith(' ')) return;
    const { acknowledged, possible = new Set<string>() } = this.#registers.get(register) ?? {};
    if (isStored) this.#registers.set(register, { acknowledged: value, possible: new Set() });
    else this.#registers.set(register, { ...(acknowledged && { acknowledged }), possible: possible.add(value) });
  }

  /** What is wrong with what is stored: a law, and where it does not hold. */
  faults({ registers, markers }: Stored): { readonly law: string; readonly place: string }[] {
    const lost = [...this.#registers].flatMap(([name, { acknowledged, possible }]) => {
      const now = registers.get(name) ?? 'gone';
      if (acknowledged === undefined || now === acknowledged || possible.has(now)) return [];
      const place = `${name} is ${now}; acknowledged ${acknowledged}, possible ${[...possible].join(', ')}`;
      return [{ law: `An acknowledged change of ${name.split(' ')[0]} is lost`, place }];
    });
    const counted = [...this.#markers].flatMap(([place, isStored]) => {
      const count = markers.get(place) ?? 0;
      if (isStored && count === 0) return [{ law: 'What was acknowledged is lost', place }];
      return count > 1 ? [{ law: 'Something is stored twice', place }] : [];
    });
    return [...lost, ...counted];
  }
}
