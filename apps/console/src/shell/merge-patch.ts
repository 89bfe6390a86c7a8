/** The JSON merge patch (RFC 7396) that makes one value the other. */
export function patchOf(before: unknown, after: unknown): unknown {
  if (!isObject(before) || !isObject(after)) return after;
  const changed = Object.keys({ ...before, ...after }).filter((name) => before[name] !== after[name]);
  const patches = changed.map((name) => [name, after[name] === undefined ? null : patchOf(before[name], after[name])]);
  return Object.fromEntries(patches);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
