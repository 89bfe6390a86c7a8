import { readFile } from 'node:fs/promises';
import { init, parse } from 'es-module-lexer';
import type { Entity, Section } from './section.ts';

const VALUE = /^(?:export )?(?:declare )?(?:abstract )?(?:class|(?:const )?enum|const|function|let|var) /m;

/**
 * A section that says where only the type of a class or another value is exported. API Extractor does not tell, and for
 * users the value would be gone.
 */
export async function showTypeOnly(section: Section, module: string): Promise<Section> {
  await init;
  const [, exports] = parse(await readFile(module, 'utf8'), module);
  const values = new Set(exports.map(({ n }) => n));
  return { ...section, entities: section.entities.map((entity) => typeOnly(entity, values)) };
}

function typeOnly(entity: Entity, values: ReadonlySet<string | undefined>): Entity {
  const { name, exportedAs, blocks } = entity;
  const missing = exportedAs.filter((exported) => !values.has(exported));
  if (missing.length === 0 || !blocks.some((block) => VALUE.test(block))) return entity;
  let text = blocks.join('\n\n');
  for (const exported of missing) {
    text = text.replace(`export { ${name} as ${exported} }`, `export type { ${name} as ${exported} }`);
    text = text.replace(`export { ${exported} }`, `export type { ${exported} }`);
  }
  if (missing.includes(name) && /^export [^{]/m.test(text)) {
    text = `${text.replaceAll(/^export (?=[^{])/gm, '')}\nexport type { ${name} }`;
  }
  return { ...entity, blocks: text.split('\n\n') };
}
