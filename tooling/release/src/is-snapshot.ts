const SNAPSHOT = /^0\.0\.0-/;

/** Whether a version is one of a pull request alone, which is made of a changed checkout. */
export function isSnapshot(version: string): boolean {
  return SNAPSHOT.test(version);
}
