import { z } from 'zod';
import type { Client, OperatorClient } from '../server/operator-client.ts';
import { Problem } from '../server/problem.ts';

const Names = z.array(z.string().min(1).max(255)).max(500);
const Grants = z.strictObject({
  /** `null` means all. */
  operations: Names.min(1).nullable(),
  systems: Names.min(1).nullable(),
  fields: Names.min(1).nullable(),
  customFields: Names,
});

/** What a client may use and see. */
export type ClientGrants = z.infer<typeof Grants>;

/** A change of what a client may use and see, and what the person saw before. */
export const GrantChange = z.strictObject({ clientId: z.string().min(1).max(255), before: Grants, after: Grants });

function grantsOf(
  { operations, systems, fields }: Pick<Client, 'operations' | 'systems' | 'fields'>,
  customFields: readonly string[],
): ClientGrants {
  return {
    operations: operations ?? null,
    systems: systems ?? null,
    // Every client sees the id.
    fields: fields?.filter((name) => name !== 'id') ?? null,
    customFields: [...customFields],
  };
}

/**
 * Changes what a client may use and see, unless somebody else changed it meanwhile.
 *
 * @param onSend - Called before the first request that changes something.
 * @throws {Problem} `conflict` with the current grants, or `rejected` with the reason of the service.
 */
export async function changeGrants(
  operator: OperatorClient,
  { clientId, before, after }: z.infer<typeof GrantChange>,
  onSend: () => void,
): Promise<void> {
  const [clients, lists] = await Promise.all([operator.clients(), operator.customFields()]);
  const client = clients.find((each) => each.clientId === clientId);
  if (!client) throw new Problem('not-found', 'The client does not exist.');
  const current = grantsOf(client, lists.get(clientId) ?? []);
  if (contentOf(current) !== contentOf(before)) {
    throw new Problem('conflict', 'Somebody else changed what the client may use and see.', { current });
  }
  const { customFields, ...grants } = after;
  const names = new Set(customFields);
  const denied = current.customFields.filter((name) => !names.delete(name));
  onSend();
  await operator.grant(clientId, grants);
  if (names.size > 0) await operator.changeCustomFields(clientId, 'allow', [...names]);
  if (denied.length > 0) await operator.changeCustomFields(clientId, 'deny', denied);
}

function contentOf({ operations, systems, fields, customFields }: ClientGrants): string {
  return JSON.stringify([operations, systems, fields, customFields].map((names) => names && names.toSorted()));
}
