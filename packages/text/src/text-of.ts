/** A value as text: a string as it is, objects and arrays as JSON, and nothing for no value. */
export function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
