/** Orders texts by code point, as the HR cloud orders ids. JavaScript's own order is that of UTF-16 units. */
export function compareCodePoints(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return (one.codePointAt(at) ?? -1) - (other.codePointAt(at) ?? -1);
}

/** Whether two values are the same JSON, ignoring the order of members. */
export function sameJson(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one, inOrder) === JSON.stringify(other, inOrder);
}

function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
