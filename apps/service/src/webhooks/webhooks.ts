import { randomUUID } from 'node:crypto';
import type { lookup } from 'node:dns';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { recordChange } from '../audit/audit-events.ts';
import type { Cursors } from '../changes/cursors.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import { oneRecord } from '../database/json-answer.ts';
import { allowedAddresses } from '../http/allowed-addresses.ts';
import type { Runtime } from '../http/runtime.ts';
import { createDeliverer } from './deliverer.ts';
import { findTarget, recordDelivery, removeIfGone, resumeEndpoint } from './endpoints.ts';
import { isSuccess } from './retries.ts';
import { createSend } from './send-message.ts';

/** What is in flight when the service stops has so long to end. */
const DRAIN_MS = 5000;

/** Sends webhooks from {@link createDeliverer} on, and tests of them. */
export type Webhooks = ReturnType<typeof createWebhooks>;

export function createWebhooks({
  database,
  background,
  cursors,
  log,
  config,
  stopping,
  isIdle,
  lookUp,
  drainMs = DRAIN_MS,
}: {
  readonly database: Database;
  readonly background?: Database | undefined;
  readonly cursors: Cursors;
  readonly log: Logger;
  readonly config: Pick<Config, 'webhookNetworks'>;
  readonly stopping: AbortSignal;
  readonly isIdle?: (() => boolean) | undefined;
  readonly lookUp?: typeof lookup;
  readonly drainMs?: number;
}) {
  const cutting = new AbortController();
  const send = createSend(allowedAddresses(config.webhookNetworks), cutting.signal, lookUp);
  const deliverer = createDeliverer({
    database,
    background,
    cursors,
    log,
    send,
    stopping,
    isIdle,
    cut: cutting.signal,
  });

  const test: Runtime['testWebhook'] = async ({ endpointId, origin }) => {
    const clientId = origin.actor;
    const target = await findTarget(database, { endpointId, clientId });
    if (!target) return undefined;
    const event = { type: 'test', timestamp: new Date().toISOString(), data: {} } as const;
    const message = { id: `msg_${randomUUID()}`, body: JSON.stringify(event) };
    const { retryAfter: _, ...attempt } = await send(target.url, message, target.secrets);
    const delivery = { messageId: message.id, type: event.type, attempt: 1, ...attempt };
    await database.transaction(async (transaction) => {
      const stored = { endpointId, ...delivery };
      const access = { ...origin, operation: 'testWebhookEndpoint', objectId: endpointId };
      await recordChange(transaction, access, 1);
      if (await removeIfGone(transaction, stored)) return;
      await recordDelivery(transaction, stored);
      if (isSuccess(delivery)) await resumeEndpoint(transaction, { endpointId, clientId });
    });
    return oneRecord(JSON.stringify(delivery));
  };

  return {
    ...deliverer,
    test,
    /** Ends all requests. Before, `stopping` was aborted. */
    async stop(): Promise<void> {
      const stopped = deliverer.stop();
      await Promise.race([stopped, setTimeout(drainMs, undefined, { ref: false })]);
      cutting.abort();
      await stopped;
    },
  };
}
