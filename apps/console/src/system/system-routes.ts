import { operations, Person, type Operation } from '@hr/schemas';
import { ownerOf, systems, type System } from '@hr/schemas/rules';
import type { Collection } from '@hr/client/mirror';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Console } from '../backend/console.ts';
import { parseInput, Problem } from '../backend/problem.ts';
import { seenEvents } from '../backend/change-authors.ts';
import type { View } from '../backend/view.ts';
import { changeGrants, GrantChange, grantsOf } from './change-grants.ts';
import type { grantLists } from './client-grants.ts';
import { doJob, syncActions, type SyncJob } from './sync-jobs.ts';

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
const Text = z.string().min(1).max(255);
const AuditQuery = z.strictObject({
  actor: Text.optional(),
  person: Text.optional(),
  access: z.enum(['read', 'change', 'refused']).optional(),
  since: z.iso.date().optional(),
});
const WebhookChange = z.strictObject({ id: Text, change: z.enum(['pause', 'resume', 'remove']) });
/** The service checks the keys, and that it is one of the two. */
const KeysChange = z.strictObject({
  clientId: Text,
  jwks: z.unknown().optional(),
  jwksUrl: z.string().max(2000).optional(),
});
export type WebhookChange = z.infer<typeof WebhookChange>;

/** Adds what the screen shows. */
export function addSystemRoutes(app: FastifyInstance, context: Console): void {
  const { cloud, live, records } = context;
  /** The last one of each collection. */
  const jobs: SyncJobs = {};
  // All of it may be about any person.
  const everyone = { config: { needs: ['everyone'] } } as const;
  const operator = { config: { role: 'operator', ...everyone.config } } as const;
  app.get('/bff/system/sync', everyone, ({ view }) => syncSection(view, jobs));
  app.post('/bff/system/sync', operator, async ({ user, body }, reply) => {
    const { collection, action, anyShrink } = parseInput(SyncStart, body);
    const last = jobs[collection];
    if (last && last.endedAt === undefined) throw new Problem('conflict', 'Another sync of the collection runs.');
    const job = { action, done: 0, total: undefined };
    jobs[collection] = job;
    void doJob(cloud, collection, job, anyShrink).then(() => live.announce());
    if (action === 'full') records.record(user, 'sync', collection);
    return reply.code(202).send();
  });

  app.get('/bff/system/clients', everyone, ({ view }) => clientsSection(context, view));
  app.post('/bff/system/grants', operator, async ({ user, body }, reply) => {
    const change = parseInput(GrantChange, body);
    await changeGrants(cloud.operator, change, () => records.record(user, 'grant-client', change.clientId));
    return reply.code(204).send();
  });

  // With a key of a client, a person can read everything that the client may see.
  const keyHolder = { config: { role: 'operator', needs: ['everyone', 'pay', 'birth'] } } as const;
  app.post('/bff/system/client-keys', keyHolder, async ({ user, body }, reply) => {
    const { clientId, ...keys } = parseInput(KeysChange, body);
    records.record(user, 'set-client-keys', clientId);
    await cloud.operator.setKeys(clientId, keys);
    return reply.code(204).send();
  });

  app.get('/bff/system/webhooks', everyone, () => webhooksSection(context));
  app.post('/bff/system/webhooks', operator, async ({ user, body }, reply) => {
    const { id, change } = parseInput(WebhookChange, body);
    records.record(user, 'change-webhook', id);
    await cloud.operator.changeWebhookEndpoint(id, change);
    return reply.code(204).send();
  });

  app.get('/bff/system/audit', everyone, ({ view, query }) =>
    auditSection(context, view, parseInput(AuditQuery, query)),
  );
}

type SyncJobs = Partial<Record<Collection, SyncJob>>;
export type SyncSection = ReturnType<typeof syncSection>;

function syncSection(view: View, jobs: Readonly<SyncJobs>) {
  return { collections: view.status(), runs: view.runs(MAX_RUNS), jobs };
}

/** A name in a list of what a client may use or see, and the system that it needs. */
interface Grantable {
  readonly name: string;
  readonly system?: System | undefined;
}

const systemsOfTags: Readonly<Partial<Record<Operation['tag'], System>>> = { Payroll: 'payroll', Time: 'time' };
export type ClientsSection = Awaited<ReturnType<typeof clientsSection>>;

async function clientsSection({ cloud: { operator }, config }: Console, view: View) {
  const since = new Date(Date.now() - READS_MAX_AGE_MS).toISOString();
  const [clients, customFields, reads] = await Promise.all([
    operator.clients(),
    operator.customFields(),
    operator.clientActivity({ access: 'read', since, last: String(READS_OF_A_CLIENT) }),
  ]);
  const all: Readonly<Record<(typeof grantLists)[number], readonly Grantable[]>> = {
    operations: Object.entries<Operation>(operations).map(([name, { tag }]) => ({ name, system: systemsOfTags[tag] })),
    systems: systems.map((name) => ({ name })),
    fields: Object.keys(Person.shape).flatMap((name) => (name === 'id' ? [] : { name, system: ownerOf(name) })),
    // Those that any client sees.
    customFields: [...new Set([...customFields.values()].flat())].toSorted().map((name) => ({ name })),
  };
  return {
    ...all,
    clients: clients.map((client) => ({
      ...client,
      grants: grantsOf(client, customFields),
      /** The newest first. */
      lastReads: (reads.get(client.clientId) ?? []).filter(seenEvents(view)).toReversed(),
      /** Whether the console itself uses it. */
      isOwn: client.clientId === config.client.clientId || client.clientId === config.operator.clientId,
    })),
  };
}

export type WebhooksSection = Awaited<ReturnType<typeof webhooksSection>>;

async function webhooksSection({ cloud: { operator } }: Console) {
  const [endpoints, clients] = await Promise.all([operator.webhookEndpoints(), operator.clients()]);
  const names = new Map(clients.map(({ clientId, name }) => [clientId, name]));
  return endpoints.map((endpoint) => ({
    ...endpoint,
    clientName: names.get(endpoint.clientId) ?? endpoint.clientId,
  }));
}

export type AuditSection = Awaited<ReturnType<typeof auditSection>>;

async function auditSection(
  { cloud: { operator }, records }: Console,
  view: View,
  { actor, person, access, since }: z.infer<typeof AuditQuery>,
) {
  const [events, clients] = await Promise.all([
    operator.auditEvents({ actor, personId: person, access, since, last: String(MAX_EVENTS) }),
    operator.clients(),
  ]);
  return {
    /** The newest first, as those below. */
    events: events
      .filter(seenEvents(view))
      .toReversed()
      .map((event) => ({
        ...event,
        /** The name of the person for whom the client acted. */
        person: event.actingPerson === undefined ? undefined : records.nameOf(event.actingPerson),
      })),
    /** What people did in the console. */
    own: records
      .events({ subject: person, limit: MAX_EVENTS })
      .filter(({ action }) => view.mayForAll('pay') || !action.endsWith('-payment')),
    /** Ids of clients, for the filter. */
    actors: clients.map(({ clientId }) => clientId),
    /** Whether the service has older events, too. */
    isCut: events.length === MAX_EVENTS,
  };
}
