import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Database } from '../database/database.ts';
import type { MetricsServer } from '../metrics/metrics-server.ts';
import type { Authentication } from './authentication.ts';
import type { ConnectionCounts } from './connections.ts';
import type { RequestsInFlight } from './requests-in-flight.ts';
import type { CredentialKeys } from '../clients/credential-keys.ts';
import type { ReadAudit } from '../audit/read-audit.ts';

/** What every request is answered from. */
export interface ServiceContext {
  readonly database: Database;
  readonly config: Pick<
    Config,
    'publicUrl' | 'trustedProxy' | 'rateLimit' | 'timeZone' | 'timeComponentVersion' | 'tokenTtlSeconds'
  >;
  readonly log: Logger;
  /** Without it, nothing is measured. */
  readonly metrics?: Pick<MetricsServer, 'observer' | 'watch'> | undefined;
  /** Whether a connection is of this machine's command line, which is an operator. Default: none is. */
  readonly isCommandLine?: (connection: Duplex) => boolean;
}

/** What the routes of a server share beside. */
export interface Runtime extends ServiceContext {
  readonly authentication: Authentication;
  readonly credentialKeys: CredentialKeys;
  readonly connections: Readonly<ConnectionCounts>;
  readonly requestsInFlight: RequestsInFlight;
  readonly readAudit: ReadAudit;
  /** Aborted as soon as the service begins to stop. */
  readonly stopping: AbortSignal;
}
