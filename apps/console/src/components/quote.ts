/** Quotes a text for a POSIX shell, so that nothing in it is expanded. */
export function shellQuoted(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A value as TypeScript code on one line. */
export function typescriptOf(value: unknown): string {
  if (typeof value === 'string') return typescriptString(value);
  if (Array.isArray(value)) return `[${value.map(typescriptOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const properties = Object.entries(value).filter(([, property]) => property !== undefined);
  if (properties.length === 0) return '{}';
  return `{ ${properties.map(([name, property]) => `${nameOf(name)}: ${typescriptOf(property)}`).join(', ')} }`;
}

function nameOf(name: string): string {
  // It would set the prototype.
  if (name === '__proto__') return "['__proto__']";
  return /^[A-Za-z_]\w*$/.test(name) ? name : typescriptString(name);
}

/** A literal in single quotes. JSON escapes everything but these. */
function typescriptString(text: string): string {
  const json = JSON.stringify(text).slice(1, -1);
  return `'${json.replaceAll(/\\"|'/g, (found) => (found === "'" ? String.raw`\'` : '"'))}'`;
}

/** Percent-encodes a text for a path or a query, including the characters that a shell or curl gives a meaning. */
export function urlEncoded(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed());
  return encoded.replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
