import { Identifier, LocalDate, SalaryHistoryEntry } from '@hr/schemas';
import { z } from 'zod';
import { AuditEvent } from '../audit/audit-operations.ts';
import { Moment, NoBody } from '../operator/operator-models.ts';
import { get, post, type OperatorOperations } from '../operator/operator-operation.ts';
import { OperatorVariablePayment } from '../payroll/payment-operations.ts';

/** A document as a source system or a client sent it. */
const Stored = z.unknown();

/** What is stored about a person, by the names of `personalData`. */
const PersonExport = z
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
    variablePayments: z.array(
      OperatorVariablePayment.extend({ idempotencyKey: z.string().optional(), decision: z.string().optional() }),
    ),
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
      .describe(
        'Who read or changed what of the person, when and why. Also lists of all persons since the person is stored. Such an event names no person.',
      ),
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

const Readmission = z.object({ personId: z.string() }).meta({ id: 'Readmission' });

const person = z.strictObject({ personId: Identifier.describe('Id of the person.') });

export const personalDataOperations = {
  operatorExportPerson: {
    ...get,
    scope: 'operator',
    path: '/operator/v1/persons/{personId}/export',
    summary: 'Export all data of a person',
    description: 'Everything that is stored about the person at one moment.',
    pathParameters: person,
    response: PersonExport,
  },
  operatorErasePerson: {
    ...post,
    scope: 'operator',
    path: '/operator/v1/persons/{personId}/erase',
    summary: 'Erase all data of a person',
    description:
      'It cannot be undone. The audit stays, which contains only ids and names of fields, and imports leave the person out.',
    pathParameters: person,
    body: NoBody,
    response: Erasure,
  },
  operatorReadmitPerson: {
    ...post,
    scope: 'operator',
    path: '/operator/v1/persons/{personId}/readmit',
    summary: 'Let imports load an erased person again',
    description: 'It restores no data.',
    pathParameters: person,
    body: NoBody,
    response: Readmission,
  },
} as const satisfies OperatorOperations;
