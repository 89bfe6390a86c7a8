import type { Client } from '../backend/operator-client.ts';

/** What a client may use and see. `null` means all. */
export interface ClientGrants {
  readonly operations: readonly string[] | null;
  readonly systems: readonly string[] | null;
  readonly fields: readonly string[] | null;
  readonly customFields: readonly string[];
}

/** Code of the fault that says that only a part of a change was made. */
export const PARTLY_CHANGED = 'partly-changed';

export function grantsOf({ operations, systems, fields }: Client, customFields: readonly string[]): ClientGrants {
  return {
    operations: operations ?? null,
    systems: systems ?? null,
    // Every client sees the id.
    fields: fields?.filter((name) => name !== 'id') ?? null,
    customFields: [...customFields],
  };
}

/** Whether two grants have the same names, in any order. */
export function areEqualGrants(one: ClientGrants, other: ClientGrants): boolean {
  return contentOf(one) === contentOf(other);
}

function contentOf({ operations, systems, fields, customFields }: ClientGrants): string {
  return JSON.stringify([operations, systems, fields, customFields].map((names) => names && names.toSorted()));
}
