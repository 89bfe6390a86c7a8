/** What of the service a client may use or see. */
export const grantLists = ['operations', 'systems', 'fields', 'customFields'] as const;
type GrantList = (typeof grantLists)[number];

/** The names in each list. `null` means all. */
export type ClientGrants = Readonly<Record<Exclude<GrantList, 'customFields'>, readonly string[] | null>> & {
  readonly customFields: readonly string[];
};

/** Whether two grants have the same names, in any order. */
export function areEqualGrants(one: ClientGrants, other: ClientGrants): boolean {
  return grantLists.every((list) => contentOf(one[list]) === contentOf(other[list]));
}

function contentOf(names: readonly string[] | null): string {
  return JSON.stringify(names?.toSorted());
}
