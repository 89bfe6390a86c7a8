import { operations, Person, type Operation } from '@hr/schemas';
import { ownerOf, systems, type System } from '@hr/schemas/rules';
import {
  isMirrorError,
  type Collection,
  type CollectionStatus,
  type MirrorRowChange,
  type SyncResult,
  type SyncRun,
} from '@hr/client/mirror';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Console } from '../backend/console.ts';
import type { AuditEvent, Client, WebhookEndpoint } from '../backend/operator-client.ts';
import { parseInput, Problem } from '../backend/problem.ts';
import type { ConsoleEvent } from '../backend/records.ts';
import { changeGrants, GrantChange } from './change-grants.ts';

export interface SyncSection {
  readonly collections: readonly CollectionStatus[];
  /** The newest first. */
  readonly runs: readonly SyncRun[];
}

/** What a full sync would change. It contains ids and names of fields, but no values. */
export interface Drift extends Omit<SyncResult, 'changes' | 'cursor' | 'dryRun' | 'full'> {
  /** The first ones. */
  readonly differences: readonly MirrorRowChange[];
}

export interface ClientRow extends Client {
  readonly customFields: readonly string[];
  /** Of the last 90 days, the newest first. */
  readonly lastReads: readonly Pick<AuditEvent, 'id' | 'at' | 'operation' | 'elements'>[];
  /** Whether the console itself uses it. */
  readonly isOwn: boolean;
}

/** An operation or a field of persons, and the system that it needs. */
export interface Grantable {
  readonly name: string;
  readonly system: System | undefined;
}

export interface ClientsSection {
  readonly clients: readonly ClientRow[];
  readonly operations: readonly Grantable[];
  readonly systems: readonly System[];
  readonly fields: readonly Grantable[];
  /** The custom fields that any client sees. */
  readonly customFields: readonly string[];
}

export interface WebhookRow extends WebhookEndpoint {
  readonly clientName: string;
}

export interface AuditSection {
  /** The newest first. */
  readonly events: readonly AuditEvent[];
  /** What people did in the console, the newest first. */
  readonly own: readonly ConsoleEvent[];
  /** Ids of clients, for the filter. */
  readonly actors: readonly string[];
  /** Whether the service has older events, too. */
  readonly isCut: boolean;
}

const MAX_RUNS = 50;
/** Absences take a request for each person. */
const SYNCS_A_MINUTE = 20;
const MAX_DIFFERENCES = 200;
const MAX_EVENTS = 200;
const READS_OF_A_CLIENT = 3;
/** The service looks no further back for the reads of a client that has none. */
const READS_MAX_AGE_MS = 90 * 24 * 60 * 60_000;

const collections = ['persons', 'bookings', 'absences'] as const satisfies Collection[];
const CollectionOf = z.strictObject({ collection: z.enum(collections) });
const FullSync = CollectionOf.extend({
  /** Also if that deletes more than a tenth of the rows. */
  anyShrink: z.boolean(),
});
const AuditQuery = z.strictObject({
  actor: z.string().min(1).max(255).optional(),
  person: z.string().min(1).max(255).optional(),
  access: z.enum(['read', 'change', 'refused']).optional(),
  since: z.iso.date().optional(),
});

const WebhookChange = z.strictObject({
  id: z.string().min(1).max(255),
  change: z.enum(['pause', 'resume', 'remove']),
});
export type WebhookChange = z.infer<typeof WebhookChange>;

const systemsOfTags: Readonly<Partial<Record<Operation['tag'], System>>> = { Payroll: 'payroll', Time: 'time' };

/** Adds what the screen shows. */
export function addSystemRoutes(app: FastifyInstance, { cloud, live, records, config }: Console): void {
  app.get('/bff/system/sync', (): SyncSection => {
    return { collections: cloud.mirror.status(), runs: cloud.mirror.runs(MAX_RUNS) };
  });

  const sync = { role: 'operator', rateLimit: { max: SYNCS_A_MINUTE } } as const;
  app.post('/bff/system/sync', { config: sync }, async (request): Promise<SyncResult> => {
    const { collection } = parseInput(CollectionOf, request.body);
    const result = await cloud.sync(collection);
    live.announce();
    return result;
  });

  app.post('/bff/system/full-sync', { config: { role: 'operator' } }, async (request): Promise<SyncResult> => {
    const { collection, anyShrink } = parseInput(FullSync, request.body);
    records.record(request.user, 'sync', collection);
    try {
      return await cloud.sync(collection, { full: true, ...(anyShrink && { maxShrink: 1 }) });
    } catch (error) {
      if (!isMirrorError(error) || error.code !== 'list-too-short') throw error;
      throw new Problem('rejected', 'A tenth of the rows or more are not in the list, so nothing was stored.', {
        errors: [{ pointer: '/anyShrink', code: error.code }],
      });
    } finally {
      live.announce();
    }
  });

  app.post('/bff/system/drift', { config: { role: 'operator' } }, async (request): Promise<Drift> => {
    const { collection } = parseInput(CollectionOf, request.body);
    const { changes, ...result } = await cloud.sync(collection, { full: true, dryRun: true, maxShrink: 1 });
    const differences = changes.flatMap((change) =>
      change.kind !== 'reset' && change.collection === collection ? change : [],
    );
    return { ...result, differences: differences.slice(0, MAX_DIFFERENCES) };
  });

  app.get('/bff/system/clients', async (): Promise<ClientsSection> => {
    const since = new Date(Date.now() - READS_MAX_AGE_MS).toISOString();
    const [clients, customFields, reads] = await Promise.all([
      cloud.operator.clients(),
      cloud.operator.customFields(),
      cloud.operator.clientActivity({ access: 'read', since, last: String(READS_OF_A_CLIENT) }),
    ]);
    const rows = clients.map((client): ClientRow => {
      const { clientId } = client;
      const lastReads = reads.get(clientId) ?? [];
      return {
        ...client,
        customFields: customFields.get(clientId) ?? [],
        lastReads: lastReads.map(({ id, at, operation, elements }) => ({ id, at, operation, elements })).toReversed(),
        isOwn: clientId === config.client.clientId || clientId === config.operator.clientId,
      };
    });
    return {
      clients: rows,
      operations: Object.entries<Operation>(operations).map(([name, { tag }]) => ({
        name,
        system: systemsOfTags[tag],
      })),
      systems,
      fields: Object.keys(Person.shape).map((name) => ({ name, system: name === 'id' ? undefined : ownerOf(name) })),
      customFields: [...new Set([...customFields.values()].flat())].toSorted(),
    };
  });

  app.post('/bff/system/grants', { config: { role: 'operator' } }, async (request, reply) => {
    const change = parseInput(GrantChange, request.body);
    await changeGrants(cloud.operator, change, () => records.record(request.user, 'grant-client', change.clientId));
    return reply.code(204).send();
  });

  app.get('/bff/system/webhooks', async (): Promise<WebhookRow[]> => {
    const [endpoints, clients] = await Promise.all([cloud.operator.webhookEndpoints(), cloud.operator.clients()]);
    const names = new Map(clients.map(({ clientId, name }) => [clientId, name]));
    return endpoints.map((endpoint) => ({
      ...endpoint,
      clientName: names.get(endpoint.clientId) ?? endpoint.clientId,
    }));
  });

  app.post('/bff/system/webhooks', { config: { role: 'operator' } }, async (request, reply) => {
    const { id, change } = parseInput(WebhookChange, request.body);
    records.record(request.user, 'change-webhook', id);
    await cloud.operator.changeWebhookEndpoint(id, change);
    return reply.code(204).send();
  });

  app.get('/bff/system/audit', async (request): Promise<AuditSection> => {
    const { actor, person, access, since } = parseInput(AuditQuery, request.query);
    const [events, clients] = await Promise.all([
      cloud.operator.auditEvents({
        ...(actor !== undefined && { actor }),
        ...(person !== undefined && { personId: person }),
        ...(access && { access }),
        ...(since && { since }),
        last: String(MAX_EVENTS),
      }),
      cloud.operator.clients(),
    ]);
    return {
      events: events.toReversed(),
      own: records.events({ ...(person !== undefined && { subject: person }), limit: MAX_EVENTS }),
      actors: clients.map(({ clientId }) => clientId),
      isCut: events.length === MAX_EVENTS,
    };
  });
}
