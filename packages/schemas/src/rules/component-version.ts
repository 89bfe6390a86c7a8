/** Minimum version of the time-recording component for time bookings and absences (section 8). */
export const REQUIRED_TIME_COMPONENT_VERSION = '63.11.20';

const pattern = /^\d{1,9}(?:\.\d{1,9}){0,9}$/;

/** Whether a text is a component version: numbers separated by dots. */
export function isComponentVersion(version: string): boolean {
  return pattern.test(version);
}

/**
 * Compares component versions number by number: negative if the first is older, positive if it is newer.
 *
 * @example
 * compareComponentVersions('63.11.9', '63.11.20') < 0; // true
 */
export function compareComponentVersions(one: string, other: string): number {
  const [ones, others] = [one.split('.').map(Number), other.split('.').map(Number)];
  for (let index = 0; index < Math.max(ones.length, others.length); index++) {
    const difference = (ones[index] ?? 0) - (others[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
