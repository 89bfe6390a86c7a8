import type { Times } from './time-account.ts';

/** What the calendar shows. */
export type Measure = 'booked' | 'difference';

/** A shade of the calendar. */
export interface Shade {
  readonly color: string;
  /** The minutes of the largest size that have this shade. */
  readonly upTo: number;
}

/** Shares of the colour. The text on the strongest one has enough contrast. */
const SHARES = [12, 22, 32, 42, 52];
const QUARTER_HOUR = 15;

/**
 * Chooses shades for minutes. Zero has none. Booked times of a month are much alike, so their shades begin at the
 * shortest one.
 */
export class Heat {
  readonly #start: number;
  readonly #step: number;
  readonly #hasNegative: boolean;

  constructor(measure: Measure, days: readonly Times[]) {
    const values = days.flatMap((day) => day[measure] || []);
    const sizes = values.map(Math.abs);
    const shortest = measure === 'booked' ? Math.min(...sizes) - 1 : 0;
    this.#start = sizes.length === 0 ? 0 : Math.floor(shortest / QUARTER_HOUR) * QUARTER_HOUR;
    const span = Math.max(0, ...sizes) - this.#start;
    this.#step = Math.max(1, Math.ceil(span / SHARES.length / QUARTER_HOUR)) * QUARTER_HOUR;
    this.#hasNegative = values.some((value) => value < 0);
  }

  color(minutes: number | undefined): string {
    if (minutes === undefined || minutes === 0) return 'transparent';
    return mixed(Math.ceil((Math.abs(minutes) - this.#start) / this.#step) - 1, minutes);
  }

  /** All shades, from the lowest to the highest minutes. */
  get shades(): Shade[] {
    const shades = (sign: number): Shade[] =>
      SHARES.map((_, index) => ({
        color: mixed(index, sign),
        upTo: sign * (this.#start + this.#step * (index + 1)),
      }));
    return [...(this.#hasNegative ? shades(-1).toReversed() : []), ...shades(1)];
  }
}

function mixed(index: number, sign: number): string {
  return `color-mix(in srgb, var(--${sign < 0 ? 'hr-less' : 'mantine-color-brand-filled'}) ${SHARES[index]}%, transparent)`;
}
