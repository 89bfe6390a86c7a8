import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import type { Database } from '../database/database.ts';
import type { ConnectionCounts } from '../http/connections.ts';
import type { EnvironmentLabels } from './request-metrics.ts';

/** The parts of a service whose state is reported. */
export interface WatchedParts {
  readonly database: Pick<Database, 'pools'>;
  readonly connections: Readonly<ConnectionCounts>;
  /** How many tokens were found in memory, and how many in the database. */
  readonly tokenLookups: { readonly hits: number; readonly misses: number };
  readonly webhooks: {
    readonly counts: { readonly delivered: number; readonly failed: number };
    readonly endpointStates: () => Readonly<Record<'active' | 'failing' | 'paused', number>>;
  };
  readonly readAudit: { state(): { readonly waiting: number; readonly failedWrites: number } };
}

/**
 * Adds the state of the parts of the service, which are asked at each scrape.
 *
 * @returns a function that adds the parts of an environment, and returns one that removes them
 */
export function addStateMetrics(
  registry: Registry,
  environments: readonly 'environment'[],
): (labels: EnvironmentLabels, parts: Partial<WatchedParts>) => () => void {
  const watched = new Map<object, Partial<WatchedParts>>();
  const registers = [registry];
  const gauges = (
    name: string,
    help: string,
    label: string,
    values: (parts: Partial<WatchedParts>) => Readonly<Record<string, number>> | undefined,
  ): unknown =>
    new Gauge({
      name,
      help,
      labelNames: [...environments, label],
      registers,
      collect() {
        this.reset();
        for (const [labels, parts] of watched) {
          for (const [labelled, value] of Object.entries(values(parts) ?? {})) {
            this.set({ ...labels, [label]: labelled }, value);
          }
        }
      },
    });
  /** The state of a part, which an environment has or has not. */
  const state = <Part extends keyof WatchedParts>(
    Kind: typeof Counter | typeof Gauge,
    part: Part,
    name: string,
    help: string,
    value: (part: WatchedParts[Part]) => number,
  ): unknown =>
    new Kind({
      name,
      help,
      labelNames: environments,
      registers,
      collect() {
        this.reset();
        for (const [labels, { [part]: one }] of watched) if (one) this.inc(labels, value(one));
      },
    });
  const poolGauge = (name: string, help: string, of: 'connections' | 'idle' | 'waiting'): unknown =>
    gauges(
      name,
      help,
      'pool',
      ({ database }) =>
        database && Object.fromEntries(Object.entries(database.pools()).map(([pool, each]) => [pool, each[of]])),
    );

  state(Gauge, 'connections', 'hr_http_connections', 'Open connections.', ({ open }) => open);
  state(
    Counter,
    'connections',
    'hr_http_connections_refused_total',
    'Connections that a limit closed at once.',
    ({ refused }) => refused,
  );
  state(Counter, 'tokenLookups', 'hr_token_cache_hits_total', 'Tokens that were remembered.', ({ hits }) => hits);
  state(
    Counter,
    'tokenLookups',
    'hr_token_cache_misses_total',
    'Tokens that the database was asked for.',
    ({ misses }) => misses,
  );
  state(
    Gauge,
    'readAudit',
    'hr_read_audit_waiting',
    'Reads and refusals that wait to be written to the audit.',
    (audit) => audit.state().waiting,
  );
  state(
    Counter,
    'readAudit',
    'hr_read_audit_failed_writes_total',
    'Attempts to write reads and refusals to the audit that failed; what they held waits for the next.',
    (audit) => audit.state().failedWrites,
  );
  state(
    Counter,
    'webhooks',
    'hr_webhooks_delivered_total',
    'Webhooks that receivers accepted.',
    ({ counts }) => counts.delivered,
  );
  state(
    Counter,
    'webhooks',
    'hr_webhooks_failed_total',
    'Webhooks that receivers did not accept.',
    ({ counts }) => counts.failed,
  );
  gauges('hr_webhook_endpoints', 'Webhook endpoints of all clients.', 'state', ({ webhooks }) =>
    webhooks?.endpointStates(),
  );
  poolGauge('hr_database_connections', 'Connections to PostgreSQL.', 'connections');
  poolGauge('hr_database_connections_idle', 'Connections to PostgreSQL that nobody uses.', 'idle');
  poolGauge('hr_database_waiting', 'Statements and pages that wait for a connection.', 'waiting');
  return (labels, parts) => {
    // Two environments may have the same labels for a moment, while one is being replaced by the other.
    const key = { ...labels };
    watched.set(key, parts);
    return () => watched.delete(key);
  };
}
