import { z } from 'zod';
import type { OperatorClient } from '../backend/operator-client.ts';
import { Problem } from '../backend/problem.ts';
import { areEqualGrants, grantsOf, PARTLY_CHANGED } from './client-grants.ts';

const Names = z.array(z.string().min(1).max(255)).max(500);
const Grants = z.strictObject({
  /** `null` means all. */
  operations: Names.min(1).nullable(),
  systems: Names.min(1).nullable(),
  fields: Names.min(1).nullable(),
  customFields: Names,
});

/** A change of what a client may use and see, and what the person saw before. */
export const GrantChange = z.strictObject({ clientId: z.string().min(1).max(255), before: Grants, after: Grants });

/**
 * Changes what a client may use and see, unless somebody else changed it meanwhile. The service has up to three calls
 * for that. What is taken from the client comes first: if a later call fails, the client sees too little, not too much.
 *
 * @param onSend - Called before the first request that changes something.
 * @throws {Problem} `conflict` with the current grants, `rejected` with the reason of the service, or
 *   `outcome-unknown`, which has the fault `partly-changed` if an earlier call was made.
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
  if (!areEqualGrants(current, before)) {
    throw new Problem('conflict', 'Somebody else changed what the client may use and see.', { current });
  }
  const { customFields, ...grants } = after;
  const allowed = new Set(customFields);
  const denied = current.customFields.filter((name) => !allowed.delete(name));
  const calls: (() => Promise<unknown>)[] = [];
  if (denied.length > 0) calls.push(() => operator.changeCustomFields(clientId, 'deny', denied));
  if (!areEqualGrants(current, { ...after, customFields: current.customFields }))
    calls.push(() => operator.grant(clientId, grants));
  if (allowed.size > 0) calls.push(() => operator.changeCustomFields(clientId, 'allow', [...allowed]));
  onSend();
  let isPart = false;
  for (const call of calls) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- the order matters
      await call();
    } catch (error) {
      if (!isPart || !(error instanceof Problem)) throw error;
      const { requestId, errors = [], detail } = error.body;
      const part = { pointer: '', code: PARTLY_CHANGED, detail: errors[0]?.detail };
      throw new Problem('outcome-unknown', detail, { requestId, errors: [part] });
    }
    isPart = true;
  }
}
