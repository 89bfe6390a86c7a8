import { changedLines } from './changed-lines.ts';
import type { ChangedLines, Declared } from './changed-lines.ts';
import { outline } from './outline.ts';
import { declarationOf, exportOf, mentions } from './section.ts';
import type { Entity, Section } from './section.ts';

/** A difference between what was released and what is now. */
export interface ApiChange extends ChangedLines {
  /** What users write to import it. */
  readonly specifier: string;
  /** What they import; nothing where it is the entry point itself. */
  readonly name?: string;
  readonly what: 'removed' | 'changed' | 'new';
}

/** What has changed for users of a package. */
export function apiChanges(released: readonly Section[], now: readonly Section[]): ApiChange[] {
  const specifiers = new Set(released.map(({ specifier }) => specifier));
  const added = now.filter(({ specifier }) => !specifiers.has(specifier));
  return [
    ...released.flatMap((section): ApiChange[] => {
      const { specifier } = section;
      const same = now.find((one) => one.specifier === specifier);
      if (!same) return [{ specifier, what: 'removed', needs: 'major', lines: [] }];
      return [...changesOfExports(section, same), ...changesOfOthers(section, same, now)];
    }),
    ...added.map(({ specifier }): ApiChange => ({ specifier, what: 'new', needs: 'minor', lines: [] })),
  ];
}

function changesOfExports(released: Section, now: Section): ApiChange[] {
  const { specifier } = released;
  const before = exportsIn(released);
  const fresh = exportsIn(now);
  const added = [...fresh.keys()].filter((name) => !before.has(name));
  return [
    ...Array.from(before).flatMap(([name, entity]): ApiChange[] => {
      const code = exportOf(entity, name);
      const same = fresh.get(name);
      if (!same) return [{ specifier, name, what: 'removed', needs: 'major', lines: gone(code) }];
      const change = changedLines(declared(released, code), declared(now, exportOf(same, name)), true);
      return change ? [{ specifier, name, what: 'changed', ...change }] : [];
    }),
    ...added.map((name): ApiChange => ({ specifier, name, what: 'new', needs: 'minor', lines: [] })),
  ];
}

/** The changes of what users meet in other types only. */
function changesOfOthers(released: Section, now: Section, all: readonly Section[]): ApiChange[] {
  const { specifier } = released;
  const others = released.entities.filter(({ exportedAs }) => exportedAs.length === 0);
  return others.flatMap((entity): ApiChange[] => {
    const { name } = entity;
    const code = declarationOf(entity);
    // An entry point may export it by now.
    const same = [now, ...all].flatMap(({ entities }) => entities).find((one) => one.name === name);
    const change = same && changedLines(declared(released, code), declared(now, declarationOf(same)), false);
    if (change) return [{ specifier, name, what: 'changed', ...change }];
    if (same || !now.entities.some((one) => mentions(declarationOf(one), name))) return [];
    return [{ specifier, name, what: 'removed', needs: 'major', lines: gone(code) }];
  });
}

function exportsIn({ entities }: Section): Map<string, Entity> {
  return new Map(entities.flatMap((entity) => entity.exportedAs.map((name) => [name, entity] as const)));
}

/** What an entry point imports of its own package is compared where it is declared. */
function declared({ specifier, imports }: Section, code: string): Declared {
  const [scope, name] = specifier.split('/');
  return { code, imports: imports.filter((line) => !new RegExp(`'${scope}/${name}['/]`).test(line)) };
}

function gone(code: string): string[] {
  return outline(code).map(({ text }) => `- ${text}`);
}
