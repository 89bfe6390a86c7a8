import { hash } from 'node:crypto';
import { API_SCOPE, type ChangeKind } from '@hr/schemas';
import type { WebhookMessage } from '@hr/schemas/provider';
import type { Logger } from 'pino';
import type { Cursors } from '../changes/cursors.ts';
import {
  changesAfter,
  currentPosition,
  isPassed,
  type ChangeSet,
  type Expiry,
  type Later,
  type Position,
} from '../changes/positions.ts';
import { visibleKinds } from '../changes/visible-kinds.ts';
import { visibleGrants } from '../clients/client-grants.ts';
import { describeError } from '../config/create-log.ts';
import { coalesce } from '../database/coalesce.ts';
import type { Database, Queries } from '../database/database.ts';
import type { TokenGrant } from '../http/grant.ts';
import {
  recordDelivery,
  recordOutcome,
  removeIfGone,
  stateColumns,
  targetColumns,
  type Delivery,
  type EndpointStates,
  type Target,
} from './endpoints.ts';
import { isSuccess, retryDelaySeconds } from './retries.ts';
import type { Send } from './send-message.ts';

/** It looks that often whether something is due, as it may not hear of a commit. */
const LOOK_MS = 1000;
/** While there is no endpoint, it looks that often whether another process has created one. */
const IDLE_LOOK_MS = 30_000;
/** The same while no requests come, as each look takes a connection. */
const SLEEPING_LOOK_MS = 600_000;
/** So many requests of a process are in flight at most. */
const MAX_IN_FLIGHT = 20;
/** So many endpoints that something may be due to are looked at together. */
const MAX_LOOKED_AT = 500;
/** Longer than a request may take. Then the endpoint of a process that was killed is free. */
const LEASE = `interval '1 minute'`;
const PAUSE_AFTER = `interval '3 days'`;
const ID_LENGTH = 24;

/** An endpoint, and what its client may see. */
interface Candidate extends Position, Omit<TokenGrant, 'scope' | 'expiresAt'> {
  readonly id: string;
  /** The grants until which the receiver knows. */
  readonly knownGrants: string | null;
}

interface Leased extends Candidate, Target {
  readonly lease: string;
  readonly failures: number;
}

const isFree = `paused_at is null and disabled_at is null and due_at <= clock_timestamp()
  and coalesce(leased_until <= clock_timestamp(), true) and webhook_endpoint.client_id = api_client.client_id`;
const candidateColumns = `webhook_endpoint.id, api_client.client_id as "clientId", snapshot::text, latest::text, digest,
  webhook_endpoint.grants_change::text as "knownGrants", api_client.grants_change::text as "grantsChange",
  ${visibleGrants}`;

/** Sends a notice to each webhook endpoint whose client sees something that came after the endpoint's position. */
export function createDeliverer({
  database,
  background = database,
  cursors,
  log,
  send,
  stopping,
  isIdle = () => false,
  cut,
}: {
  readonly database: Database;
  /** The same, for looks while there is no endpoint. */
  readonly background?: Database | undefined;
  readonly cursors: Cursors;
  readonly log: Logger;
  readonly send: Send;
  /** Aborted as soon as the service begins to stop: from then on nothing is sent. */
  readonly stopping: AbortSignal;
  /** Whether no requests come. */
  readonly isIdle?: (() => boolean) | undefined;
  /** Aborted when requests in flight are aborted. */
  readonly cut: AbortSignal;
}) {
  /** By the id of the endpoint. */
  const inFlight = new Map<string, Promise<void>>();
  const counts = { delivered: 0, failed: 0 };
  let states: EndpointStates = { active: 0, failing: 0, paused: 0 };
  let isStarted = false;
  let hasEndpoints = false;
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;

  const lookSoon = coalesce(async () => {
    if (stopping.aborted) return;
    try {
      hasEndpoints = await look();
    } catch (error) {
      log.warn(
        { error: describeError(error as Error) },
        'The service cannot look for due webhooks now. It tries again.',
      );
    }
    if (!isStarted) return;
    // Few services have webhooks, and to listen takes a connection.
    if (!hasEndpoints) unsubscribe?.();
    unsubscribe = hasEndpoints ? (unsubscribe ?? database.onCommit(() => void lookSoon())) : undefined;
    clearTimeout(timer);
    const idleLookMs = isIdle() ? SLEEPING_LOOK_MS : IDLE_LOOK_MS;
    timer = setTimeout(() => void lookSoon(), hasEndpoints ? LOOK_MS : idleLookMs).unref();
  });

  /** Begins to send what is due, as far as there is room. Gives whether there is any endpoint. */
  async function look(): Promise<boolean> {
    if (inFlight.size >= MAX_IN_FLIGHT) return true;
    const rows = await (hasEndpoints ? database : background).query<
      EndpointStates & (Candidate | { readonly id: null })
    >(
      `with candidate as (
        select ${candidateColumns} from webhook_endpoint, api_client
        where ${isFree} and (${isPassed('webhook_endpoint')}
          or webhook_endpoint.grants_change is distinct from api_client.grants_change)
        order by due_at limit ${MAX_LOOKED_AT}
      )
      select * from (select ${stateColumns} from webhook_endpoint) as state left join candidate on true`,
    );
    const { active, failing, paused } = rows[0] as EndpointStates;
    states = { active, failing, paused };
    const candidates = rows.filter(({ id }) => id !== null) as Candidate[];
    if (candidates.length === 0) return active + failing + paused > 0;
    // What came before it, those whose clients see nothing of it need not look at again.
    const position = await currentPosition(database);
    const unconcerned: Candidate[] = [];
    for (const endpoints of Map.groupBy(candidates, ({ snapshot, digest }) => `${snapshot} ${digest}`).values()) {
      // oxlint-disable-next-line no-await-in-loop -- one connection is enough
      const later = await changesAfter(database, endpoints[0] as Candidate);
      for (const endpoint of endpoints) {
        const isKnown = typeof later !== 'string' && !hasOtherGrants(endpoint);
        if (isKnown && kindsAfter(later, endpoint).length === 0) unconcerned.push(endpoint);
        else if (inFlight.size < MAX_IN_FLIGHT && !inFlight.has(endpoint.id) && !stopping.aborted) begin(endpoint.id);
      }
    }
    if (unconcerned.length > 0) await moveOn(unconcerned, position);
    if (candidates.length === MAX_LOOKED_AT) void lookSoon();
    return true;
  }

  /** Moves endpoints to a position, unless another process has done so meanwhile. */
  async function moveOn(endpoints: readonly Candidate[], { snapshot, latest, digest }: Position): Promise<void> {
    await database.query(
      `update webhook_endpoint set snapshot = $3::pg_snapshot, latest = $4::bigint, digest = $5
      where id in (
        select webhook_endpoint.id from webhook_endpoint join unnest($1::text[], $2::text[]) as seen (id, snapshot)
          on seen.id = webhook_endpoint.id and seen.snapshot = webhook_endpoint.snapshot::text
        order by 1 for update of webhook_endpoint skip locked
      )`,
      [endpoints.map(({ id }) => id), endpoints.map((endpoint) => endpoint.snapshot), snapshot, latest, digest],
    );
  }

  function begin(id: string): void {
    const delivery = deliver(id)
      .catch((error: unknown) => {
        // The lease ends by itself.
        log.warn(
          { endpoint: id, error: describeError(error as Error) },
          'The service cannot send a webhook now. It tries again.',
        );
      })
      .finally(() => {
        inFlight.delete(id);
        // Others may have waited for the room.
        void lookSoon();
      });
    inFlight.set(id, delivery);
  }

  async function deliver(id: string): Promise<void> {
    const [leased] = await database.query<Leased>(
      `update webhook_endpoint set leased_until = clock_timestamp() + ${LEASE} from api_client
      where id = $1 and ${isFree}
      returning ${candidateColumns}, ${targetColumns}, failures, leased_until::text as lease`,
      [id],
    );
    if (!leased) return;
    const later = hasOtherGrants(leased) ? 'grants' : await changesAfter(database, leased);
    const position = typeof later === 'string' ? await currentPosition(database) : later.position;
    const changed = kindsAfter(later, leased);
    if (changed.length === 0) return advance(database, leased, position);
    const message = await noticeOf(leased, position, changed);
    const { retryAfter, ...attempt } = await send(leased.url, message, leased.secrets);
    if (attempt.failure !== undefined && cut.aborted) return release(leased);
    const delivery = {
      ...attempt,
      endpointId: id,
      messageId: message.id,
      type: 'changes',
      attempt: leased.failures + 1,
    } as const;
    const delay = retryDelaySeconds(leased.failures, { ...attempt, retryAfter });
    const outcome = await database.transaction((transaction) =>
      end(transaction, { leased, position, delivery, delay }),
    );
    counts[outcome === 'delivered' ? 'delivered' : 'failed']++;
    const { status, failure } = attempt;
    const { origin } = new URL(leased.url);
    if (outcome !== 'delivered') log.info({ endpoint: id, origin, status, failure, outcome }, 'A webhook failed.');
  }

  async function noticeOf(leased: Leased, position: Position, changed: readonly ChangeKind[]): Promise<WebhookMessage> {
    const [last] = await database.query<{ timestamp: string }>(
      `select to_char(coalesce(max(changed_at), clock_timestamp()) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
        as timestamp from change_set where id = $1::bigint`,
      [position.latest],
    );
    const data = { cursor: await cursors.cursorAt(position, grantOf(leased)), changed };
    // Attempts to send the same have the same id. What tells more has another, or its receiver could take it for known.
    const content = JSON.stringify([leased.id, position.latest, position.digest, changed]);
    return {
      id: `msg_${hash('sha256', content, 'base64url').slice(0, ID_LENGTH)}`,
      body: JSON.stringify({ type: 'changes', timestamp: last?.timestamp, data }),
    };
  }

  async function release({ id, lease }: Leased): Promise<void> {
    await database.query(
      'update webhook_endpoint set leased_until = null where id = $1 and leased_until = $2::timestamptz',
      [id, lease],
    );
  }

  return {
    counts: counts as Readonly<typeof counts>,
    /** As of the last look. */
    endpointStates: () => states,
    start(): void {
      isStarted = true;
      void lookSoon();
    },
    /** Looks now, as a new endpoint may be the first one. */
    lookSoon: (): void => void lookSoon(),
    /** Sends all that is due now. */
    async sendDue(): Promise<void> {
      // What ends makes room for others.
      // oxlint-disable-next-line no-await-in-loop -- see above
      for (await lookSoon(); inFlight.size > 0; await lookSoon()) await Promise.all(inFlight.values());
    },
    /** Resolves when nothing is in flight any more. Before, `stopping` was aborted. */
    async stop(): Promise<void> {
      await lookSoon();
      unsubscribe?.();
      clearTimeout(timer);
      await Promise.all(inFlight.values());
    },
  };
}

interface Ended {
  readonly leased: Leased;
  /** Until which the receiver knows now if it has accepted the notice. */
  readonly position: Position;
  readonly delivery: Delivery;
  /** Seconds until the next attempt. */
  readonly delay: number;
}

/** Stores what came of an attempt. The endpoint is untouched if the lease was lost. */
async function end(
  transaction: Queries,
  { leased, position, delivery, delay }: Ended,
): Promise<'delivered' | 'failed' | 'paused' | 'removed'> {
  if (await removeIfGone(transaction, delivery)) return 'removed';
  await recordDelivery(transaction, delivery);
  if (isSuccess(delivery)) {
    await advance(transaction, leased, position);
    return 'delivered';
  }
  const [row] = await transaction.query<{ isPaused: boolean }>(
    `update webhook_endpoint set leased_until = null, failures = failures + 1,
      failing_since = coalesce(failing_since, clock_timestamp()),
      due_at = clock_timestamp() + make_interval(secs => $3),
      paused_at = case when failing_since <= clock_timestamp() - ${PAUSE_AFTER} then clock_timestamp() else paused_at end
    where id = $1 and leased_until = $2::timestamptz returning paused_at is not null as "isPaused"`,
    [leased.id, leased.lease, delay],
  );
  if (!row?.isPaused) return 'failed';
  await recordOutcome(transaction, 'pauseWebhookEndpoint', delivery);
  return 'paused';
}

/** Stores that the receiver knows of all until a position. */
async function advance(queries: Queries, { id, lease, grantsChange }: Leased, position: Position): Promise<void> {
  await queries.query(
    `update webhook_endpoint set leased_until = null, failures = 0, failing_since = null, due_at = clock_timestamp(),
      snapshot = $3::pg_snapshot, latest = $4::bigint, digest = $5, grants_change = $6::bigint
    where id = $1 and leased_until = $2::timestamptz`,
    [id, lease, position.snapshot, position.latest, position.digest, grantsChange ?? null],
  );
}

/** Whether the client sees something else than what the receiver knows of. */
function hasOtherGrants({ knownGrants, grantsChange }: Candidate): boolean {
  return knownGrants !== grantsChange;
}

const anything: readonly ChangeSet[] = [{ id: 0n, xid: '', touched: null }];

/** What a receiver has to hear of: all that its client sees if it is unknown what came. */
function kindsAfter(later: Later | Expiry | 'grants', endpoint: Candidate): ChangeKind[] {
  return visibleKinds(typeof later === 'string' ? anything : later.changes, grantOf(endpoint));
}

function grantOf(endpoint: Candidate): TokenGrant {
  return { ...endpoint, scope: API_SCOPE, expiresAt: 0 };
}
