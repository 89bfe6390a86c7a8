import { z } from 'zod';
import type { Client, OperatorClient } from '../backend/operator-client.ts';
import { Problem } from '../backend/problem.ts';
import { areEqualGrants, type ClientGrants } from './client-grants.ts';

const Names = z.array(z.string().min(1).max(255)).max(500);
const NamesOrAll = Names.min(1).nullable();
const Grants = z.strictObject({
  operations: NamesOrAll,
  systems: NamesOrAll,
  fields: NamesOrAll,
  customFields: Names,
});

/** A change of what a client may use and see, and what the person saw before. */
export const GrantChange = z.strictObject({ clientId: z.string().min(1).max(255), before: Grants, after: Grants });

export function grantsOf(
  { clientId, operations, systems, fields }: Client,
  customFields: ReadonlyMap<string, readonly string[]>,
): ClientGrants {
  return {
    operations: operations ?? null,
    systems: systems ?? null,
    // Every client sees the id.
    fields: fields?.filter((name) => name !== 'id') ?? null,
    customFields: customFields.get(clientId) ?? [],
  };
}

/**
 * Changes what a client may use and see, unless somebody else changed it meanwhile. The service has up to three calls
 * for that. What is taken from the client comes first: if a later call fails, the client sees too little, not too much.
 *
 * @param onSend - Called before the first request that changes something.
 * @throws {Problem} `conflict`, `rejected` with the reason of the service, `outcome-unknown`, or `partly-changed` if a
 *   later call failed.
 */
export async function changeGrants(
  operator: OperatorClient,
  { clientId, before, after }: z.infer<typeof GrantChange>,
  onSend: () => void,
): Promise<void> {
  const [clients, lists] = await Promise.all([operator.clients(), operator.customFields()]);
  const client = clients.find((each) => each.clientId === clientId);
  if (!client) throw new Problem('not-found', 'The client does not exist.');
  const current = grantsOf(client, lists);
  if (!areEqualGrants(current, before)) {
    throw new Problem('conflict', 'Somebody else changed what the client may use and see.');
  }
  const { customFields, ...grants } = after;
  const allowed = new Set(customFields);
  const denied = current.customFields.filter((name) => !allowed.delete(name));
  const calls: (() => Promise<unknown>)[] = [];
  if (denied.length > 0) calls.push(() => operator.changeCustomFields(clientId, 'deny', denied));
  if (!areEqualGrants({ ...current, customFields }, after)) calls.push(() => operator.grant(clientId, grants));
  if (allowed.size > 0) calls.push(() => operator.changeCustomFields(clientId, 'allow', [...allowed]));
  onSend();
  let isPart = false;
  for (const call of calls) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- the order matters
      await call();
    } catch (error) {
      if (!isPart || !(error instanceof Problem)) throw error;
      const { requestId, errors, detail } = error.body;
      throw new Problem('partly-changed', detail, { requestId, errors });
    }
    isPart = true;
  }
}
