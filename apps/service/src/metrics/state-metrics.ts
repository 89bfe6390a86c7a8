import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import type { Database } from '../database/database.ts';
import type { ConnectionCounts } from '../http/connections.ts';

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

/** Adds what the parts of the service tell of themselves, asked at each scrape. */
export function addStateMetrics(
  registry: Registry,
  { database, tokenLookups, readAudit, webhooks, connections }: WatchedParts,
): void {
  const registers = [registry];
  const gauge = (name: string, help: string, value: () => number): unknown =>
    new Gauge({ name, help, registers, collect: collectorOf(value) });
  const counter = (name: string, help: string, value: () => number): unknown =>
    new Counter({ name, help, registers, collect: collectorOf(value) });
  const gauges = (name: string, help: string, label: string, values: () => Readonly<Record<string, number>>): unknown =>
    new Gauge({
      name,
      help,
      labelNames: [label],
      registers,
      collect() {
        for (const [labelled, value] of Object.entries(values())) this.set({ [label]: labelled }, value);
      },
    });
  const poolGauge = (name: string, help: string, of: 'connections' | 'idle' | 'waiting'): unknown =>
    gauges(name, help, 'pool', () =>
      Object.fromEntries(Object.entries(database.pools()).map(([pool, state]) => [pool, state[of]])),
    );

  gauge('hr_http_connections', 'Open connections.', () => connections.open);
  counter('hr_http_connections_refused_total', 'Connections that a limit closed at once.', () => connections.refused);
  counter('hr_token_cache_hits_total', 'Tokens that were remembered.', () => tokenLookups.hits);
  counter('hr_token_cache_misses_total', 'Tokens that the database was asked for.', () => tokenLookups.misses);
  gauge(
    'hr_read_audit_waiting',
    'Reads and refusals that wait to be written to the audit.',
    () => readAudit.state().waiting,
  );
  counter(
    'hr_read_audit_failed_writes_total',
    'Attempts to write reads and refusals to the audit that failed; what they held waits for the next.',
    () => readAudit.state().failedWrites,
  );
  counter('hr_webhooks_delivered_total', 'Webhooks that receivers accepted.', () => webhooks.counts.delivered);
  counter('hr_webhooks_failed_total', 'Webhooks that receivers did not accept.', () => webhooks.counts.failed);
  gauges('hr_webhook_endpoints', 'Webhook endpoints of all clients.', 'state', webhooks.endpointStates);
  poolGauge('hr_database_connections', 'Connections to PostgreSQL.', 'connections');
  poolGauge('hr_database_connections_idle', 'Connections to PostgreSQL that nobody uses.', 'idle');
  poolGauge('hr_database_waiting', 'Statements and pages that wait for a connection.', 'waiting');
}

function collectorOf(value: () => number) {
  return function collect(this: Counter | Gauge): void {
    this.reset();
    this.inc(value());
  };
}
