/** Whether two JSON values say the same; the order of an object's members says nothing. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [members, others] = [definedEntries(one), new Map(definedEntries(other))];
  return members.length === others.size && members.every(([name, value]) => sameJson(value, others.get(name)));
}

/** JSON has no members without a value. */
function definedEntries(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}
