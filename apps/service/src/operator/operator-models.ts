import {
  Identifier,
  isLocalDate,
  LocalDate,
  operations,
  Person,
  SalaryHistoryEntry,
  text,
  VariablePayment,
  YearMonth,
} from '@hr/schemas';
import { systems } from '@hr/schemas/rules';
import { z } from 'zod';
import { accesses } from '../audit/audit-events.ts';
import { scopes } from '../clients/clients.ts';
import { paymentStates } from '../payroll/variable-payments.ts';
import { listParameters, MomentParameter, numberUpTo, someOf } from './list-parameters.ts';

const MAX_TEXT_LENGTH = 1000;

/** A text that an operator writes. */
const OperatorText = text({ min: 1, max: MAX_TEXT_LENGTH });
// The pattern says no more than the format, and takes 300 characters at each place in the OpenAPI document.
const Moment = z.iso.datetime({ offset: true }).meta({ pattern: undefined });
/** A document as a source system or a client sent it. */
const Stored = z.unknown();
const clientId = Identifier.describe('Id of the client.');

/** The request bodies and responses of {@link operatorOperations}. Responses may gain fields. */
export const NoBody = z.strictObject({}).optional().meta({ id: 'NoBody', description: 'Nothing, or an empty object.' });

export const Decision = z
  .strictObject({ reason: OperatorText.describe('Why, for the record.').optional() })
  .optional()
  .meta({ id: 'Decision' });

export const OperatorVariablePayment = z
  .object({
    id: z.string(),
    state: z.enum(paymentStates),
    ...VariablePayment.shape,
    masterCostCenter: z.string().describe('Cost center of the contract when the payment was submitted.').optional(),
    submittedBy: z.string().describe('Id of the client.'),
    submittedAt: Moment,
    decidedBy: z.string().describe('Id of the client, or `command line`.').optional(),
    decidedAt: Moment.optional(),
    reason: z.string().optional(),
  })
  .meta({ id: 'OperatorVariablePayment' });

/** The id of a variable payment. */
export const PAYMENT_ID = /^[1-9]\d{0,17}$/;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const paymentFilter = {
  state: someOf(paymentStates).describe('Only those in one of these states.').optional(),
  billingPeriod: YearMonth.describe('Only those of this billing period.').optional(),
  payrollContractId: Identifier.describe('Only those of this payroll contract.').optional(),
  submittedBy: Identifier.describe('Only those that this client submitted.').optional(),
  submittedSince: MomentParameter.describe(
    'Only those submitted from the beginning of a date in the time zone of the service on, or from a date-time on.',
  ).optional(),
};
export const PaymentFilter = z.strictObject(paymentFilter);
export type PaymentFilter = z.output<typeof PaymentFilter>;
export const PaymentListQuery = listParameters(PAYMENT_ID, paymentFilter);

export const VariablePaymentCount = z
  .object({
    billingPeriod: z.string(),
    state: z.enum(paymentStates),
    payments: z.int().describe('How many there are, at least one.'),
  })
  .meta({ id: 'VariablePaymentCount' });

/** What a client may use and see of the API. */
const grants = {
  operations: grantList(keysOf(operations), 'Ids of the operations that it may use'),
  systems: grantList(systems, 'The systems whose data it may see and change'),
  fields: grantList(keysOf(Person.shape), 'The fields of persons that it may see and change beside `id`'),
};

function grantList<Name extends string>(names: readonly Name[], description: string) {
  return z.array(z.enum(names)).min(1).nullable().describe(`${description}, or \`null\` for all.`).optional();
}

function keysOf<Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(table) as Name[];
}

export const ClientGrants = z
  .strictObject(grants)
  .check((context) => {
    if (Object.keys(context.value).length > 0) return;
    context.issues.push({
      code: 'custom',
      path: [],
      message: 'must have operations, systems or fields',
      input: context.value,
    });
  })
  .meta({ id: 'ClientGrants' });

export const NewClient = z
  .strictObject({
    name: OperatorText.describe('What it is called.'),
    scope: z.enum(scopes).describe('What it may do. `operator` includes the scopes that begin with it.'),
    ...grants,
  })
  .meta({ id: 'NewClient' });

export const ClientCredentials = z
  .object({
    clientId,
    clientSecret: z.string().describe('It is shown only once.'),
    scope: z.enum(scopes),
  })
  .meta({ id: 'ClientCredentials' });

/** Never contains a secret. */
export const Client = z
  .object({
    clientId,
    name: z.string(),
    scope: z.enum(scopes),
    createdAt: Moment,
    disabledAt: Moment.describe('Only if it is disabled.').optional(),
    lastTokenAt: Moment.describe('When it last got an access token.').optional(),
    operations: z.array(z.string()).describe('The operations that it may use. Without it, all.').optional(),
    systems: z.array(z.string()).describe('The systems whose data it sees. Without it, all.').optional(),
    fields: z.array(z.string()).describe('The fields of persons that it sees. Without it, all.').optional(),
    secrets: z
      .array(
        z.object({
          createdAt: Moment,
          expiresAt: Moment.describe(
            'Only of the previous secret, which a rotation left valid for seven days.',
          ).optional(),
        }),
      )
      .describe('The valid secrets, the current one first.'),
  })
  .meta({ id: 'Client' });

export const Rotation = z
  .strictObject({ retire: z.boolean().describe('Create no secret, but end the previous one.').optional() })
  .optional()
  .meta({ id: 'Rotation' });

export const RotatedClient = Client.extend({
  clientSecret: z.string().describe('The new secret. It is shown only once.'),
}).meta({ id: 'RotatedClient' });

export const RetiredClient = Client.extend({
  retired: z.boolean().describe('Whether there was a previous secret to end.'),
}).meta({ id: 'RetiredClient' });

export const RotationResult = z.union([RotatedClient, RetiredClient]).meta({ id: 'RotationResult' });

export const CredentialKey = z
  .object({ id: z.int(), issuesFrom: Moment.describe('When it begins to issue secrets and tokens.') })
  .meta({ id: 'CredentialKey', description: 'A key of the checksums of secrets and tokens, which is never shown.' });

export const CustomFieldNames = z
  .strictObject({ names: z.array(Identifier).min(1).describe('Names of custom fields, exactly as the feed has them.') })
  .meta({ id: 'CustomFieldNames' });

export const ClientCustomFields = z
  .object({ clientId, names: z.array(z.string()).describe('The custom fields of persons that the client sees.') })
  .meta({ id: 'ClientCustomFields' });

export const AuditEvent = z
  .object({
    id: z.string(),
    at: Moment.describe('In UTC.'),
    actor: z
      .string()
      .describe('Id of a client, `command line`, or `unknown` if a refused request did not name a client that exists.'),
    access: z.enum(accesses),
    operation: z.string().describe('`operationId` of this document, or `pruneAudit`.'),
    requestId: z.string().describe('Of several refused requests, that of the first one.'),
    personId: z.string().optional(),
    payrollContractId: z.string().optional(),
    objectId: z.string().describe('Id of a variable payment, a client or an import.').optional(),
    elements: z.int().describe('How many records were read or changed, or how many requests were refused.'),
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

export const AuditEventQuery = listParameters(UUID, {
  personId: Identifier.describe('About this person.').optional(),
  payrollContractId: Identifier.describe('About this payroll contract.').optional(),
  objectId: Identifier.describe('About this variable payment or client.').optional(),
  actor: Identifier.describe('By this client, by `command line`, or by `unknown`.').optional(),
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

export const ClientActivity = z
  .object({ clientId, events: z.array(AuditEvent).describe('The oldest first.') })
  .meta({ id: 'ClientActivity' });

const count = z.int().min(0);

export const ImportRun = z
  .object({
    id: z.string(),
    sources: z.array(z.string()).describe('Names of the files, or of the request.'),
    actor: z.string().describe('Id of a client, or `command line`.'),
    requestId: z.string(),
    startedAt: Moment,
    endedAt: Moment.describe('Only if it has ended.').optional(),
    cancelledAt: Moment.describe('When an operator cancelled it.').optional(),
    state: z
      .enum(['running', 'done', 'failed', 'broken-off'])
      .describe('`broken-off`: it was cancelled, or its sender, file or process ended early. What is stored stays.'),
    reason: z.string().describe('Why it failed or broke off.').optional(),
    lines: count.describe('Lines that are done: stored, without effect, or left out. Blank ones do not count.'),
    badLines: count.describe('Those of them that were left out.'),
    outcomes: z
      .record(z.string(), z.object({ created: count, changed: count, unchanged: count, deleted: count, erased: count }))
      .describe('What became of the other lines, by `kind`.'),
    leftOut: z
      .array(z.object({ source: z.string(), line: count, pointer: z.string(), code: z.string(), detail: z.string() }))
      .describe('The first 50 faults of the lines that were left out. They name places, never values.'),
    moreFaults: count.describe('How many other faults these lines have.'),
  })
  .meta({ id: 'ImportRun' });

export const ImportListQuery = listParameters(UUID, {});

/** What is stored about a person, by the names of {@link personalData}. */
export const PersonExport = z
  .object({
    personId: z.string(),
    exportedAt: Moment,
    view: z
      .array(
        z.object({
          person: Stored,
          customFields: z.array(Stored),
          storedAt: Moment.optional(),
          masterChangedAt: Moment.optional(),
          payrollChangedAt: Moment.optional(),
          timeChangedAt: Moment.optional(),
          customFieldsChangedAt: Moment.optional(),
          fieldsChangedAt: z.record(z.string(), Moment).describe('When each field last changed.'),
        }),
      )
      .describe('What clients see, with every custom field.'),
    sources: z.array(z.object({ kind: z.string(), document: Stored })).describe('What the source systems sent.'),
    patches: z
      .array(z.object({ property: z.string(), document: Stored.optional(), feedContent: Stored.optional() }))
      .describe('What clients changed.'),
    // The moments of changes go with the history of changes.
    deletion: z.array(z.object({ isErased: z.boolean(), deletedAt: Moment.optional() })),
    timeAccount: z.array(z.object({ changedAt: Moment.optional() })),
    timeDays: z.array(z.object({ date: LocalDate, day: Stored.optional(), changedAt: Moment.optional() })),
    absences: z.array(z.object({ id: z.string(), absence: Stored.optional(), changedAt: Moment.optional() })),
    movedAbsences: z
      .array(z.object({ id: z.string(), movedAt: Moment.optional() }))
      .describe('Absences that another person has now.'),
    salaries: z.array(SalaryHistoryEntry),
    idempotencyKeys: z.array(z.object({ variablePaymentId: z.string(), clientId: z.string(), createdAt: Moment })),
    variablePayments: z.array(OperatorVariablePayment),
    contracts: z.array(z.object({ employment: Stored.optional(), masterCostCenter: z.string().optional() })),
    formerMappings: z.array(z.object({ payrollContractId: z.string(), endedAt: Moment })),
    mappings: z.array(z.object({ payrollContractId: z.string() })),
    tombstone: z
      .array(
        z.object({
          payrollContractIds: z.array(z.string()),
          erasedAt: Moment,
          erasedBy: z.string(),
          readmittedAt: Moment.optional(),
        }),
      )
      .describe('Since when the person is erased.'),
    auditEvents: z
      .array(AuditEvent)
      .describe('Also lists of all persons since the person is stored. Such an event names no person.'),
  })
  .meta({ id: 'PersonExport' });

export const Erasure = z
  .object({
    personId: z.string(),
    payrollContractIds: z.array(z.string()).describe('The payroll contracts that were erased with the person.'),
    erasedAt: Moment,
    erased: z.record(z.string(), z.int()).describe('How many records of each kind of the export were erased now.'),
  })
  .meta({ id: 'Erasure' });

export const Readmission = z.object({ personId: z.string() }).meta({ id: 'Readmission' });
