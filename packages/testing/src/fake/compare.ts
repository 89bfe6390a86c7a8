/** Orders texts by code point, as the HR cloud orders ids. JavaScript's own order is that of UTF-16 units. */
export function compareCodePoints(one: string, other: string): number {
  const [a, b] = [surrogatesLast(one), surrogatesLast(other)];
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Surrogates represent code points above all single units, so the two blocks change places. */
function surrogatesLast(text: string): string {
  return text.replaceAll(/[\ud800-\uffff]/g, (unit) => {
    const code = unit.charCodeAt(0);
    return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800);
  });
}

/** Whether two values are the same JSON, ignoring the order of members. */
export function sameJson(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one, inOrder) === JSON.stringify(other, inOrder);
}

function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
