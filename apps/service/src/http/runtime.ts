import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/database.ts';
import type { JsonAnswer } from '../database/json-answer.ts';
import type { AccessAudit, Origin } from './access-audit.ts';
import type { Authentication } from './authentication.ts';
import type { ChangeFeed, ListStarts } from './changes.ts';
import type { RequestsInFlight } from './requests-in-flight.ts';

/** What every request is answered from. */
export interface ServiceContext {
  readonly database: Database;
  readonly config: Pick<
    Config,
    | 'publicUrl'
    | 'trustedProxy'
    | 'rateLimit'
    | 'timeZone'
    | 'timeComponentVersion'
    | 'tokenTtlSeconds'
    | 'webhookNetworks'
  >;
  readonly log: Logger;
  /** Whether a connection is of this machine's command line, which is an operator. Default: none is. */
  readonly isCommandLine?: ((connection: Duplex) => boolean) | undefined;
}

/** What the routes of a server share beside. */
export interface Runtime extends ServiceContext {
  readonly authentication: Authentication;
  readonly audit: AccessAudit;
  readonly cursors: ListStarts;
  readonly changeFeed: ChangeFeed;
  readonly requestsInFlight: RequestsInFlight;
  /** Sends a test event to a webhook endpoint of a client, and tells what came of it; `undefined` if there is none. */
  readonly testWebhook: (endpoint: {
    readonly endpointId: string;
    /** Of the client. */
    readonly origin: Origin;
  }) => Promise<JsonAnswer | undefined>;
  /** Has to be called when a webhook endpoint was created. */
  readonly lookForWebhooks: () => void;
  /** Aborted as soon as the service begins to stop. */
  readonly stopping: AbortSignal;
}
