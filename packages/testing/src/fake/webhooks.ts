import {
  changeKinds,
  type ChangeKind,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookEndpointWithSecret,
} from '@hr/schemas';
import { MAX_WEBHOOK_ENDPOINTS, mayHear, newWebhookSecret, problems, webhookHeaders } from '@hr/schemas/provider';
import type { Reader } from './changes.ts';
import type { Store } from './store.ts';

const MAX_DELIVERIES = 100;
const TIMEOUT_MS = 15_000;
const GONE = 410;

/** A webhook endpoint of a client. */
export interface HeldEndpoint {
  readonly clientId: string;
  endpoint: WebhookEndpoint;
  /** The valid ones, the newest first. */
  secrets: readonly string[];
  readonly deliveries: WebhookDelivery[];
  /** Its receiver knows of what changed until then. */
  cursor: string;
  isSending: boolean;
}

/** Registers a URL (section 6). Unlike a service, the fake sends to any address, also by `http`. */
export function addEndpoint(
  store: Store,
  { url, id = crypto.randomUUID() }: { readonly url: string; readonly id?: string },
  reader: Reader,
): WebhookEndpointWithSecret {
  const { clientId } = reader;
  const own = [...store.webhookEndpoints.values()].filter((held) => held.clientId === clientId);
  if (own.length >= MAX_WEBHOOK_ENDPOINTS) throw problems.tooManyWebhookEndpoints();
  const endpoint = { id, url: new URL(url).href, createdAt: new Date(store.clock()).toISOString(), failures: 0 };
  const secret = newWebhookSecret();
  const cursor = store.changes.cursorFor(reader);
  store.webhookEndpoints.set(id, {
    clientId,
    endpoint,
    secrets: [secret],
    deliveries: [],
    cursor,
    isSending: false,
  });
  return { ...endpoint, secret };
}

/** Gives an endpoint another secret. The one before stays valid. */
export function rotateSecret(held: HeldEndpoint): WebhookEndpointWithSecret {
  const secret = newWebhookSecret();
  held.secrets = [secret, ...held.secrets.slice(0, 1)];
  return { ...held.endpoint, secret };
}

/** Sends an event to an endpoint. One that responds 410 is removed. */
export async function send(
  store: Store,
  held: HeldEndpoint,
  type: 'changes' | 'test',
  data: object,
): Promise<WebhookDelivery> {
  const { id, url, failures, failingSince } = held.endpoint;
  const sentAt = new Date().toISOString();
  const message = { id: `msg_${crypto.randomUUID()}`, body: JSON.stringify({ type, timestamp: sentAt, data }) };
  const headers = await webhookHeaders(message, held.secrets);
  const start = performance.now();
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const outcome = await fetch(url, { method: 'POST', headers, body: message.body, redirect: 'manual', signal }).then(
    async ({ status, body }) => {
      await body?.cancel();
      return { status };
    },
    () => ({ failure: signal.aborted ? 'timeout' : 'connection' }),
  );
  const attempt = type === 'test' ? 1 : failures + 1;
  const durationMs = Math.round(performance.now() - start);
  const delivery: WebhookDelivery = { messageId: message.id, type, sentAt, attempt, ...outcome, durationMs };
  held.deliveries.push(delivery);
  held.deliveries.splice(0, held.deliveries.length - MAX_DELIVERIES);
  if (delivery.status === GONE) store.webhookEndpoints.delete(id);
  const { failures: _, failingSince: __, ...rest } = held.endpoint;
  if (isSuccess(delivery)) held.endpoint = { ...rest, failures: 0 };
  else if (type === 'changes')
    held.endpoint = { ...rest, failures: failures + 1, failingSince: failingSince ?? sentAt };
  return delivery;
}

/**
 * Tells all endpoints what changed, each by one notice after the other. The fake does not repeat one that failed: the next
 * change is told together with it.
 */
export async function tellEndpoints(
  store: Store,
  changedAfter: (reader: Reader, cursor: string) => readonly ChangeKind[],
): Promise<void> {
  await Promise.all([...store.webhookEndpoints.values()].map((held) => tell(held)));

  async function tell(held: HeldEndpoint): Promise<void> {
    if (held.isSending) return;
    held.isSending = true;
    for (;;) {
      const reader = readerOf(store, held.clientId);
      const cursor = store.changes.cursorFor(reader);
      const changed = changedOrAll(reader, held.cursor);
      // oxlint-disable-next-line no-await-in-loop -- one notice after the other
      if (changed.length > 0 && !isSuccess(await send(store, held, 'changes', { cursor, changed }))) break;
      held.cursor = cursor;
      if (changed.length === 0 || !store.webhookEndpoints.has(held.endpoint.id)) break;
    }
    held.isSending = false;
  }

  /** What changed; all that the client may hear of if its cursor has expired. */
  function changedOrAll(reader: Reader, cursor: string): readonly ChangeKind[] {
    try {
      return changedAfter(reader, cursor);
    } catch {
      return changeKinds.filter((kind) => mayHear(reader.grants, kind));
    }
  }
}

function isSuccess({ status = 0 }: WebhookDelivery): boolean {
  return status >= 200 && status < 300;
}

/** A client, and what it may see. */
export function readerOf({ clientId: ownId, grants }: Store, clientId: string): Reader {
  return { clientId, grants: clientId === ownId ? grants : {} };
}
