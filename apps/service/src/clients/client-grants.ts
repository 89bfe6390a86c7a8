import { HttpProblem, systemOf, type Grants } from '@hr/schemas/provider';
import { ownerOf } from '@hr/schemas/rules';
import { datedChange } from '../database/change-sets.ts';
import type { Queries } from '../database/database.ts';
import type { Scope, VisibleGrants } from '../http/grant.ts';
import { clientRecord, type ClientRecord } from './clients.ts';

/** The columns of {@link VisibleGrants} and of whether the client may act for people, of a row of `api_client`. */
export const visibleGrants = `operations, systems, fields, acts_for_people as "actsForPeople",
  array(select name from client_custom_field where client_custom_field.client_id = api_client.client_id) as "customFields"`;

/** What a client may use and see now; `undefined` if it is unknown or disabled. */
export async function findGrants(queries: Queries, clientId: string): Promise<VisibleGrants | undefined> {
  const statement = `select ${visibleGrants} from api_client where client_id = $1 and disabled_at is null`;
  return (await queries.query<VisibleGrants>(statement, [clientId]))[0];
}

/** Whether a client may still use and see all that it could earlier. */
export function coverGrants(current: VisibleGrants, earlier: VisibleGrants): boolean {
  return (['operations', 'systems', 'fields', 'customFields'] as const).every((kind) => {
    const granted: readonly string[] | null | undefined = current[kind];
    return !granted || (earlier[kind]?.every((name) => granted.includes(name)) ?? false);
  });
}

/** Grants that an operator sets. */
export interface ChangedGrants extends Grants {
  /** Of a client of any scope. */
  readonly actsForPeople?: boolean | undefined;
}

/**
 * Sets some of a client's grants and keeps the others. `undefined` if the client is unknown.
 *
 * @throws {HttpProblem} `conflict` if lists are for a client that does not use the API, or contradict each other.
 */
export async function grantClient(
  transaction: Queries,
  clientId: string,
  { actsForPeople, ...changed }: ChangedGrants,
): Promise<ClientRecord | undefined> {
  const [stored] = await transaction.query<Required<Grants> & { scope: Scope }>(
    'select scope, operations, systems, fields from api_client where client_id = $1 for no key update',
    [clientId],
  );
  if (!stored) return undefined;
  const { scope, ...grants } = { ...stored, ...changed };
  const isForApi = scope === 'api:use' || Object.keys(changed).length === 0;
  const fault = isForApi ? contradiction(grants) : 'Only clients with the scope api:use have grants.';
  if (fault !== undefined) throw new HttpProblem('conflict', fault);
  await transaction.query(
    `update api_client set operations = $2, systems = $3, fields = $4, acts_for_people = coalesce($5, acts_for_people)
    where client_id = $1`,
    [clientId, grants.operations, grants.systems, grants.fields, actsForPeople ?? null],
  );
  if (seen(stored) !== seen(grants)) await dateGrants(transaction, clientId);
  return clientRecord(transaction, clientId);
}

const seen = ({ systems, fields }: Grants): string => JSON.stringify([systems, fields]);

/** Dates a change of what a client sees, so that its lists of changes contain everybody anew. One without a token has seen nothing yet. */
export async function dateGrants(transaction: Queries, clientId: string): Promise<void> {
  await transaction.query(
    `with ${datedChange(
      `array['grants ' || $1::text]`,
      'exists (select from api_client where client_id = $1 and last_token_at is not null)',
    )}
    update api_client set grants_change = change.id from change where client_id = $1`,
    [clientId],
  );
}

/** A grant that would have no effect, as the system that it needs is not granted. */
function contradiction({ operations: granted, systems, fields }: Grants): string | undefined {
  const needs = [
    ...(granted ?? []).map((id) => [`The operation ${id}`, systemOf(id)] as const),
    ...(fields ?? []).filter((field) => field !== 'id').map((field) => [`The field ${field}`, ownerOf(field)] as const),
  ];
  const fault = needs.find(([, system]) => system && systems && !systems.includes(system));
  return fault && `${fault[0]} needs the system ${fault[1]}. Grant the system too, or leave the other out.`;
}
