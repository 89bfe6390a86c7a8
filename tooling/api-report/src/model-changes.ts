import type { ApiChange } from './api-changes.ts';
import type { Models } from './models.ts';

/** What models hold data to in another way than before. A field that is new or gone is a change of a type. */
export function modelChanges(released: readonly Models[], now: readonly Models[]): ApiChange[] {
  const fresh = new Map(now.map(({ specifier, lines }) => [specifier, lines]));
  return released.flatMap(({ specifier, lines }) =>
    Array.from(lines).flatMap(([name, before]): ApiChange[] => {
      const same = fresh.get(specifier)?.get(name) ?? before;
      if (same === before) return [];
      return [{ specifier, name, what: 'changed', needs: 'major', lines: [`- ${before}`, `+ ${same}`] }];
    }),
  );
}
