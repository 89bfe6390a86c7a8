/** The names that a module exports, each as it is imported: `Person`, `type Person`. */
export function exportedNames(source: string): string[] {
  const lists = Array.from(source.matchAll(/^export (type )?\{([^}]*)\}/gm), ([, type = '', list = '']) =>
    list
      .split(',')
      .map((entry) => entry.trim().replace(/^.* as /, ''))
      .filter((name) => name !== '' && name !== 'default')
      .map((name) => `${type}${name}`),
  );
  const declared = Array.from(
    source.matchAll(/^export (?:declare )?(?:async )?(const|function\*?|class|interface|type) (\w+)/gm),
    ([, kind = '', name = '']) => `${/^(interface|type)$/.test(kind) ? 'type ' : ''}${name}`,
  );
  return [...new Set([...lists.flat(), ...declared])];
}
