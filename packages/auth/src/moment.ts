/** A point in time, on the wall clock and on one that nobody can set. */
export interface Moment {
  readonly wall: number;
  readonly steady: number;
}

export function now(): Moment {
  return { wall: Date.now(), steady: performance.now() };
}

/** Milliseconds since then: the steady clock may stand still while a machine sleeps, and the other may be set back. */
export function elapsedSince({ wall, steady }: Moment): number {
  return Math.max(Date.now() - wall, performance.now() - steady);
}
