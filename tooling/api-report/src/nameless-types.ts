import type { Section } from './section.ts';

/** What users may want to hold, and so to name. A type that takes others, or is of a constant, is only a way to say one. */
const NAMED = /^(?:abstract )?(?:class|enum|interface) |^type [\w$]+ =/m;

/** Each type that users meet in what they import, and cannot name; and what the report cannot name to them. */
export function namelessTypes({ specifier, entities }: Section): string[] {
  const types = entities.filter(
    ({ exportedAs, blocks }) => exportedAs.length === 0 && blocks.some((block) => NAMED.test(block)),
  );
  return [
    ...types.map(({ name }) => `${specifier} lets its users meet the type ${name}, and does not export it.`),
    ...entities
      .filter(({ name }) => name.startsWith('* '))
      .map(({ name }) => `${specifier} exports ${name}, so that nothing says what that is: export it by name.`),
  ];
}
