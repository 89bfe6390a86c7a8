import { inspect } from 'node:util';

/** All that a logger or a crash may write of a value. */
export const shown = (value: unknown): string =>
  [
    inspect(value, { depth: Infinity, showHidden: true, getters: false }),
    inspect([value], { depth: Infinity }),
    JSON.stringify(value),
    JSON.stringify({ ...(value as object) }),
    String(value),
    value instanceof Error ? value.stack : '',
  ].join('\n');
