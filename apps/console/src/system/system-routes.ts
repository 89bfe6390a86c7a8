import { operations, Person, type Operation } from '@hr/schemas';
import { ownerOf, systems, type System } from '@hr/schemas/rules';
import type { Collection, CollectionStatus, SyncRun } from '@hr/client/mirror';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Console } from '../backend/console.ts';
import type { AuditEvent, Client, WebhookEndpoint } from '../backend/operator-client.ts';
import { parseInput } from '../backend/problem.ts';
import type { ConsoleEvent } from '../backend/records.ts';
import { changeGrants, GrantChange } from './change-grants.ts';
import { syncActions, SyncJobs } from './sync-jobs.ts';

export interface SyncSection {
  readonly collections: readonly CollectionStatus[];
  /** The newest first. */
  readonly runs: readonly SyncRun[];
  readonly jobs: SyncJobs['jobs'];
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
const MAX_EVENTS = 200;
const READS_OF_A_CLIENT = 3;
/** The service looks no further back for the reads of a client that has none. */
const READS_MAX_AGE_MS = 90 * 24 * 60 * 60_000;

const collections = ['persons', 'bookings', 'absences'] as const satisfies Collection[];
const SyncStart = z.strictObject({
  collection: z.enum(collections),
  action: z.enum(syncActions),
  /** Also if that deletes more than a tenth of the rows. */
  anyShrink: z.boolean().optional(),
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
  const sync = new SyncJobs(cloud, () => live.announce());
  app.get('/bff/system/sync', (): SyncSection => {
    return { collections: cloud.mirror.status(), runs: cloud.mirror.runs(MAX_RUNS), jobs: sync.jobs };
  });

  app.post('/bff/system/sync', { config: { role: 'operator' } }, async (request, reply) => {
    const { collection, action, anyShrink } = parseInput(SyncStart, request.body);
    sync.start(collection, action, anyShrink);
    if (action === 'full') records.record(request.user, 'sync', collection);
    return reply.code(202).send();
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
