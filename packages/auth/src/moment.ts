/** A point in time on the wall clock, which can be set, and on a monotonic clock. */
export interface Moment {
  readonly wall: number;
  readonly steady: number;
}

export function now(): Moment {
  return { wall: Date.now(), steady: performance.now() };
}

/** Milliseconds from then to a later moment: the wall clock may be set back, and the monotonic one may stop while a machine sleeps. */
export function elapsedSince({ wall, steady }: Moment, at: Moment = now()): number {
  return Math.max(at.wall - wall, at.steady - steady);
}
