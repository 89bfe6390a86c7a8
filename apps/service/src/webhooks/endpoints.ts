import { randomUUID } from 'node:crypto';
import type { WebhookDelivery } from '@hr/schemas';
import { MAX_WEBHOOK_ENDPOINTS, newWebhookSecret, problems } from '@hr/schemas/provider';
import { recordEvents } from '../audit/audit-events.ts';
import { currentPosition } from '../changes/positions.ts';
import type { Queries } from '../database/database.ts';
import { oneRecord, type JsonAnswer } from '../database/json-answer.ts';
import type { List } from '../database/list.ts';
import { raw, sql, type Sql } from '../database/sql.ts';

/** The actor of what the service does by itself. */
const SERVICE = 'service';
const GONE = 410;
/** So many attempts of each endpoint are kept. */
const MAX_DELIVERIES = 100;

const state = `'createdAt', created_at, 'failures', failures, 'failingSince', failing_since, 'pausedAt', paused_at`;
const endpointFields = `'id', id, 'url', url, ${state}`;
const endpointJson = `json_strip_nulls(json_build_object(${endpointFields}))::text`;
const secretJson = `json_strip_nulls(json_build_object(${endpointFields}, 'secret', secret))::text`;
const deliveryJson = `json_build_object('messageId', message_id, 'type', type, 'sentAt', sent_at, 'attempt', attempt,
  'status', status, 'failure', failure, 'durationMs', duration_ms)`;
const operatorJson = `json_strip_nulls(json_build_object('id', id, 'clientId', client_id,
  'origin', substring(url from '^[a-z]+://[^/?]+'), ${state}, 'lastDelivery', (
    select ${deliveryJson} from webhook_delivery where endpoint_id = id order by number desc limit 1
  )))::text`;

/** Which endpoints: one, of a client or of any. */
interface Which {
  readonly endpointId: string;
  /** By default of any. */
  readonly clientId?: string;
}

/** SQL for whether it is the endpoint, by the parameters `$1` and `$2`. */
const isMeant = 'id = $1 and client_id = coalesce($2, client_id)';
const parametersOf = ({ endpointId, clientId }: Which): unknown[] => [endpointId, clientId ?? null];

/** Runs a statement on an endpoint, which gives it as `record`; `undefined` if there is none. */
async function changed(queries: Queries, which: Which, statement: string, more: readonly unknown[] = []) {
  const [row] = await queries.query<{ record: string }>(statement, [...parametersOf(which), ...more]);
  return row && oneRecord(row.record);
}

/**
 * Registers a URL, with the secret in the response.
 *
 * @throws {HttpProblem} `conflict` if the client has too many.
 */
export async function createWebhookEndpoint(transaction: Queries, clientId: string, url: string): Promise<JsonAnswer> {
  // Others of the client wait, so that the count holds.
  await transaction.query('select from api_client where client_id = $1 for no key update', [clientId]);
  const { snapshot, latest, digest } = await currentPosition(transaction);
  const [row] = await transaction.query<{ record: string; id: string }>(
    `insert into webhook_endpoint (id, client_id, url, secret, snapshot, latest, digest, grants_change)
    select $1, client_id, $3, $4, $5::pg_snapshot, $6::bigint, $7, grants_change from api_client
    where client_id = $2 and (select count(*) from webhook_endpoint where client_id = $2) < ${MAX_WEBHOOK_ENDPOINTS}
    returning ${secretJson} as record, id`,
    [randomUUID(), clientId, url, newWebhookSecret(), snapshot, latest, digest],
  );
  if (row) return oneRecord(row.record, { objectId: row.id });
  throw problems.tooManyWebhookEndpoints();
}

/** The endpoints of a client. */
export function endpointsOf(clientId: string): Sql {
  return sql`select (created_at, id) as key, ${raw(endpointJson)} as element
    from webhook_endpoint where client_id = ${clientId}`;
}

/** All endpoints, as operators see them. */
export const endpointList: List = [sql`select id as key, ${raw(operatorJson)} as element from webhook_endpoint`];

/** How many endpoints are in each state. */
export type EndpointStates = Readonly<Record<'active' | 'failing' | 'paused', number>>;

/** SQL for the columns of {@link EndpointStates}. */
export const stateColumns = `count(*) filter (where paused_at is null and failing_since is null)::int as active,
  count(*) filter (where paused_at is null and failing_since is not null)::int as failing,
  count(*) filter (where paused_at is not null)::int as paused`;

/** The last attempts to send to an endpoint. */
export function deliveriesOf(endpointId: string): Sql {
  return sql`select number as key, json_strip_nulls(${raw(deliveryJson)})::text as element
    from webhook_delivery where endpoint_id = ${endpointId}`;
}

/** Where and how to send. */
export interface Target {
  readonly url: string;
  /** The valid ones. */
  readonly secrets: readonly string[];
}

/** SQL for the columns of a {@link Target}. */
export const targetColumns = `url,
  array_remove(array[secret, case when previous_until > clock_timestamp() then previous_secret end], null) as secrets`;

export async function findTarget(queries: Queries, which: Which): Promise<Target | undefined> {
  const statement = `select ${targetColumns} from webhook_endpoint where ${isMeant}`;
  return (await queries.query<Target>(statement, parametersOf(which)))[0];
}

/** Gives an endpoint another secret, which the response has. The one before is valid for a day. */
export function rotateWebhookSecret(transaction: Queries, which: Which): Promise<JsonAnswer | undefined> {
  return changed(
    transaction,
    which,
    `update webhook_endpoint
    set previous_secret = secret, previous_until = clock_timestamp() + interval '1 day', secret = $3
    where ${isMeant} returning ${secretJson} as record`,
    [newWebhookSecret()],
  );
}

export function removeEndpoint(transaction: Queries, which: Which): Promise<JsonAnswer | undefined> {
  const record = which.clientId === undefined ? operatorJson : endpointJson;
  return changed(transaction, which, `delete from webhook_endpoint where ${isMeant} returning ${record} as record`);
}

export function pauseEndpoint(transaction: Queries, which: Which): Promise<JsonAnswer | undefined> {
  return changed(
    transaction,
    which,
    `update webhook_endpoint set paused_at = coalesce(paused_at, clock_timestamp())
    where ${isMeant} returning ${operatorJson} as record`,
  );
}

/** Lets a paused or failing endpoint hear now of what it has missed. */
export function resumeEndpoint(transaction: Queries, which: Which): Promise<JsonAnswer | undefined> {
  return changed(
    transaction,
    which,
    `update webhook_endpoint
    set paused_at = null, failures = 0, failing_since = null, due_at = clock_timestamp()
    where ${isMeant} returning ${operatorJson} as record`,
  );
}

/** An attempt, as it is recorded. */
export type Delivery = WebhookDelivery & { readonly endpointId: string };

/** Records an attempt, and forgets the oldest ones. Nothing is recorded of an endpoint that was removed meanwhile. */
export async function recordDelivery(transaction: Queries, delivery: Delivery): Promise<void> {
  const { endpointId, messageId, type, sentAt, attempt, status, failure, durationMs } = delivery;
  await transaction.query(
    `with pruned as (
      delete from webhook_delivery where endpoint_id = $1 and number <= (
        select number from webhook_delivery where endpoint_id = $1
        order by number desc offset ${MAX_DELIVERIES - 1} limit 1
      )
    )
    insert into webhook_delivery (endpoint_id, message_id, type, sent_at, attempt, status, failure, duration_ms)
    select id, $2, $3, $4::timestamptz, $5, $6, $7, $8 from webhook_endpoint where id = $1 for key share`,
    [endpointId, messageId, type, sentAt, attempt, status ?? null, failure ?? null, durationMs],
  );
}

/** Removes an endpoint whose receiver has responded that it is gone, and tells whether it has. */
export async function removeIfGone(transaction: Queries, delivery: Delivery): Promise<boolean> {
  if (delivery.status !== GONE) return false;
  if (await removeEndpoint(transaction, delivery)) await recordOutcome(transaction, 'removeWebhookEndpoint', delivery);
  return true;
}

/** Records what the service did to an endpoint by itself. */
export async function recordOutcome(
  transaction: Queries,
  operation: 'pauseWebhookEndpoint' | 'removeWebhookEndpoint',
  { endpointId, messageId }: Delivery,
): Promise<void> {
  const event = { actor: SERVICE, operation, requestId: messageId, objectId: endpointId, access: 'change' } as const;
  await recordEvents(transaction, [{ ...event, elements: 1 }]);
}
