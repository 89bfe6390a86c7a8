import { declarationOf, importedName, mentions } from './section.ts';
import type { Entity, Section } from './section.ts';

/**
 * The sections of a package, each with an import for what it uses of another: what one entry point exports has a name,
 * also where the types of another entry point mention it.
 */
export function importOwn(sections: readonly Section[]): Section[] {
  return sections.map((section) => {
    const own = new Map<Entity, string>();
    for (const entity of section.entities) {
      const line = entity.exportedAs.length === 0 && importOf(entity, sections);
      if (line) own.set(entity, line);
    }
    return withoutUnused({
      ...section,
      imports: [...section.imports, ...own.values()],
      entities: section.entities.filter((entity) => !own.has(entity)),
    });
  });
}

function importOf(entity: Entity, sections: readonly Section[]): string | undefined {
  const declaration = declarationOf(entity);
  for (const { specifier, entities } of sections) {
    const found = entities.find((one) => one.exportedAs.length > 0 && declarationOf(one) === declaration);
    const [exported] = found?.exportedAs ?? [];
    if (exported === undefined) continue;
    const names = exported === entity.name ? exported : `${exported} as ${entity.name}`;
    return `import type { ${names} } from '${specifier}';`;
  }
  return undefined;
}

/** A section without what only the declarations mentioned that are imported now. */
function withoutUnused(section: Section): Section {
  const { imports, entities } = section;
  const used = entities.filter(
    (entity) =>
      entity.exportedAs.length > 0 ||
      entities.some((other) => other !== entity && mentions(declarationOf(other), entity.name)),
  );
  if (used.length < entities.length) return withoutUnused({ ...section, entities: used });
  const isUsed = (line: string): boolean => used.some(({ blocks }) => mentions(blocks.join('\n'), importedName(line)));
  return { ...section, imports: imports.filter(isUsed) };
}
