import type { Section } from './section.ts';

const TAGS = /^( *\/\/)((?: \S+)+)\n/gm;
const UNDOCUMENTED = '(undocumented)';
/** What is true of everything here, or is said by a fault instead. */
const PLAIN = new Set(['@public', UNDOCUMENTED]);

/** A section with those tags alone that tell one declaration from another, such as `@sealed`. */
export function withoutPlainTags(section: Section): Section {
  const entities = section.entities.map((entity) => ({
    ...entity,
    blocks: entity.blocks.map((block) =>
      block.replaceAll(TAGS, (_line, start: string, tags: string) => {
        const telling = tags.split(' ').filter((tag) => !PLAIN.has(tag));
        return telling.some(Boolean) ? `${start}${telling.join(' ')}\n` : '';
      }),
    ),
  }));
  return { ...section, entities };
}

/** Each export that no declaration says a word about. */
export function undocumented({ specifier, entities }: Section): string[] {
  return entities
    .filter(({ exportedAs, blocks }) => exportedAs.length > 0 && blocks.every(isUndocumented))
    .map(({ name }) => `${specifier} exports ${name} without a comment that says what a caller may rely on.`);
}

function isUndocumented(block: string): boolean {
  const [first = ''] = block.split('\n');
  return first.startsWith('//') && first.endsWith(UNDOCUMENTED);
}
