import { Identifier, isLocalDate } from '@hr/schemas';
import { z } from 'zod';
import { listParameters, MomentParameter, numberUpTo, severalOf } from '../operator/list-parameters.ts';
import { Moment, UUID } from '../operator/operator-models.ts';
import { get, list, post, type OperatorOperations } from '../operator/operator-operation.ts';
import { ActingPerson, Purpose } from '../http/acting.ts';
import { accesses } from './audit-events.ts';
import { momentOfId, UUID_V7 } from './uuid-v7.ts';

export const AuditEvent = z
  .object({
    id: z.string(),
    at: Moment.describe('In UTC.'),
    actor: z
      .string()
      .describe(
        'Id of a client, `command line`, `service` for what it does by itself, or `unknown` if a refused request did not name a client that exists.',
      ),
    actingPerson: z.string().describe('Who acted through the client, as the client says.').optional(),
    purpose: z.string().describe('Why, as the client says.').optional(),
    access: z.enum(accesses),
    operation: z
      .string()
      .describe(
        '`operationId` of this document, `readCopy` of a read from the copy of a client, `pruneAudit`, `pauseWebhookEndpoint` or `removeWebhookEndpoint`.',
      ),
    requestId: z.string().describe('Of several refused requests, that of the first one.'),
    personId: z.string().optional(),
    payrollContractId: z.string().optional(),
    objectId: z
      .string()
      .describe(
        'Id of a variable payment, a client, an import or a webhook endpoint; of `pruneAudit`, the first month that was kept.',
      )
      .optional(),
    elements: z.int().describe('How many records were read or changed, or how many requests were refused.'),
    fields: z.array(z.string()).describe('Names of the fields of the person that changed.').optional(),
    status: z
      .int()
      .describe(
        'HTTP status of refused requests: 401 if authentication failed, 403 if it was not allowed, 429 over a limit.',
      )
      .optional(),
  })
  .meta({ id: 'AuditEvent' });

const access = z.enum(accesses).describe('Only reads, only changes, or only refused requests.').optional();
const since = MomentParameter.describe(
  'From the beginning of a date in the time zone of the service, or from a date-time on.',
).optional();

const AuditEventQuery = listParameters(UUID, {
  personId: Identifier.describe('About this person.').optional(),
  payrollContractId: Identifier.describe('About this payroll contract.').optional(),
  objectId: Identifier.describe('About this variable payment or client.').optional(),
  actor: Identifier.describe('By this client, by `command line`, or by `unknown`.').optional(),
  actingPerson: ActingPerson.describe('By this person, through any client.').optional(),
  operation: Identifier.describe('Through this operation.').optional(),
  access,
  requestId: Identifier.describe('Of the request with this id.').optional(),
  since,
  until: MomentParameter.describe('To the end of such a date, or before a date-time.').optional(),
}).refine(({ since: from, until }) => from === undefined || until === undefined || !isAfter(from, until), {
  path: ['since'],
  message: 'must not be after until',
});
export type AuditEventFilter = Omit<z.output<typeof AuditEventQuery>, 'limit' | 'last' | 'after' | 'before'>;

/** Whether one moment is after the other; a date and a date-time are not compared, as days begin in the service's zone. */
function isAfter(one: string, other: string): boolean {
  return isLocalDate(one) === isLocalDate(other) && Date.parse(one) > Date.parse(other);
}

export const ClientActivityQuery = z.strictObject({
  access,
  since,
  last: numberUpTo(100).describe('Only the newest so many of each client, 1 to 100. Default: 1.').optional(),
});
export type ClientActivityQuery = z.output<typeof ClientActivityQuery>;

const ClientActivity = z
  .object({
    clientId: Identifier.describe('Id of the client.'),
    events: z.array(AuditEvent).describe('The oldest first.'),
  })
  .meta({ id: 'ClientActivity' });

/** Of the column. */
const MAX_ELEMENTS = 2 ** 31 - 1;
const FUTURE_MINUTES = 5;
const MAX_READS = 1000;

const CopyRead = z.strictObject({
  id: z
    .string()
    .regex(UUID_V7, { abort: true })
    .refine(
      (id) => momentOfId(id) <= Date.now() + FUTURE_MINUTES * 60_000,
      `must have a moment at most ${FUTURE_MINUTES} minutes in the future`,
    )
    .describe('A UUID of version 7 of the moment of the read. An event whose id is stored already is skipped.'),
  actingPerson: ActingPerson,
  purpose: Purpose,
  personId: Identifier.describe('Whose data was read. Without it and a contract, that of all persons.').optional(),
  payrollContractId: Identifier.describe('Of which payroll contract.').optional(),
  elements: z.int().min(1).max(MAX_ELEMENTS).describe('How many records were read.'),
});

const CopyReads = z
  .strictObject({ events: z.array(CopyRead).min(1).max(MAX_READS).describe('Each is stored once.') })
  .meta({ id: 'CopyReads' });

const RecordedReads = z
  .object({ events: z.int().describe('How many events the request had.') })
  .meta({ id: 'RecordedReads' });

const BLOCK_NUMBER = /[1-9]\d{0,15}/;

export const AuditBlock = z
  .object({
    number: z.int().describe('From 1 on.'),
    month: z.string().describe('The month of its events in UTC, such as `2026-01`.'),
    lastPosition: z.int().describe('The position of its last event.'),
    events: z.int().describe('How many events it has.'),
    eventsHash: z.string().describe('SHA-256 of its events, in hex.'),
    hash: z.string().describe('SHA-256 of the block and of the hash of the block before it, in hex.'),
  })
  .meta({ id: 'AuditBlock' });

const AuditHead = z
  .object({
    block: z.int().describe('The number of the newest block; 0 if there is none.'),
    hash: z.string().describe('The hash of that block, which stands for all events until it.'),
    unchained: z.int().describe('How many events are too new to have a block.'),
  })
  .meta({ id: 'AuditHead' });

const AuditVerification = AuditHead.extend({
  intact: z.int().describe('How many events are as their blocks say.'),
  pruned: z
    .object({ before: z.string().describe('The first month that was kept.'), events: z.int() })
    .describe('Only if the audit says that months were pruned.')
    .optional(),
  faults: z
    .array(
      z.object({
        kind: z
          .enum(['missing', 'added', 'changed', 'block'])
          .describe('Events are missing, were added or changed, or `block`: a block is missing or was changed.'),
        month: z.string().optional(),
        block: z.int().describe('The number of the block. Without it, the events are in none.').optional(),
        chained: z.int().describe('How many events the chain has there.'),
        found: z.int().describe('How many there are.'),
        after: z.string().describe('Id of the last event of the month before them.').optional(),
        before: z.string().describe('Id of the first event of the month behind them.').optional(),
      }),
    )
    .describe('Where the events or blocks are not as they were: the first 100 places.'),
  moreFaults: z.int().describe('How many places there are besides.'),
}).meta({ id: 'AuditVerification' });
export type AuditVerification = z.output<typeof AuditVerification>;

export const auditOperations = {
  operatorListAuditEvents: {
    ...list,
    scope: 'operator:read',
    path: '/operator/v1/audit-events',
    summary: 'List who read or changed whose data',
    description: 'The oldest first. Events match all of the parameters.',
    query: AuditEventQuery,
    response: AuditEvent,
  },
  operatorRecordReads: {
    ...post,
    scope: 'operator:audit',
    audits: true,
    path: '/operator/v1/audit-events',
    summary: 'Record reads from the copy of a client',
    description:
      'For a client that may act for people and shows them data that it has read before. Events of the operation `readCopy` are stored, with the client as the actor.',
    body: CopyReads,
    response: RecordedReads,
  },
  operatorListAuditBlocks: {
    ...list,
    scope: 'operator:read',
    path: '/operator/v1/audit-blocks',
    summary: 'List the blocks of the chain of the audit',
    description: 'By number.',
    query: listParameters(new RegExp(`^${BLOCK_NUMBER.source}$`), {
      number: severalOf(BLOCK_NUMBER, 'numbers of blocks').describe('Only those with these numbers.').optional(),
    }),
    response: AuditBlock,
  },
  operatorGetAuditHead: {
    ...get,
    scope: 'operator:read',
    path: '/operator/v1/audit-blocks/head',
    summary: 'Get the newest block of the chain of the audit',
    description: 'Events that have no block get one first.',
    response: AuditHead,
  },
  operatorVerifyAudit: {
    ...get,
    scope: 'operator:read',
    path: '/operator/v1/audit-blocks/verification',
    summary: 'Compare the audit with its chain',
    description: 'Events that have no block get one first. It reads all events, and responds when it has.',
    response: AuditVerification,
  },
  operatorListClientActivity: {
    ...list,
    scope: 'operator:read',
    path: '/operator/v1/clients/activity',
    summary: 'List the newest events of each client in the audit',
    description:
      'By client id. Clients without such an event are left out. With `access`, give `since` too: otherwise it looks at all events of a client that has none of this kind.',
    query: ClientActivityQuery,
    response: ClientActivity,
  },
} as const satisfies OperatorOperations;
