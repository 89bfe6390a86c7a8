import { fileURLToPath } from 'node:url';

/** A file among what this package depends on, by its path in `node_modules`. */
export function installed(path: string): string {
  return fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));
}
