import { validRange } from 'semver';

/**
 * Checks what shall point to the versions that are published.
 *
 * @throws {Error} When npm would not take it, or read it as a range: `v1` is any version 1.
 */
export function checkDistTag(tag: string): void {
  if (/^[a-z][a-z0-9.-]*$/.test(tag) && validRange(tag) === null) return;
  throw new Error(`--tag must be a word such as latest, latest-1 or pr-12, and no version: ${JSON.stringify(tag)}`);
}
