import type * as models from './generated/models.ts';
import type { Model } from './model.ts';
import { z } from 'zod';
import { text, Decimal, Identifier, LocalDate, openEnum } from './primitives.ts';

/** The bank account of a person (section 2.4). The model checks form and length, not checksums. */
export const BankDetails: Model<models.BankDetails> = z
  .strictObject({
    iban: text({ min: 5, max: 34, pattern: /^[A-Z]{2}\d{2}[A-Z\d]{1,30}$/ }).optional(),
    bic: text({ min: 8, max: 11, pattern: /^[A-Z\d]{4}[A-Z]{2}[A-Z\d]{2}(?:[A-Z\d]{3})?$/ }).optional(),
    payee: text({ max: 70 }).describe('Name of the payee, if different from the person.').optional(),
  })
  .meta({ id: 'BankDetails', section: '2.4', description: 'The bank account of a person.' });
export type BankDetails = models.BankDetails;

/** A field that the operator added to persons (section 2.6). A client sees the fields that are configured for it. */
export const CustomField: Model<models.CustomField> = z
  .strictObject({
    name: Identifier,
    type: openEnum('STRING').optional(),
    textValue: text().optional(),
    numberValue: Decimal.optional(),
    booleanValue: z.boolean().optional(),
    dateValue: LocalDate.optional(),
    selection: z.array(Identifier).optional(),
  })
  .meta({
    id: 'CustomField',
    section: '2.6',
    description: 'A field that the operator added to persons. A client sees the fields that are configured for it.',
  });
export type CustomField = models.CustomField;

const WorkingHours = z
  .strictObject({ daily: Decimal.optional(), weekly: Decimal.optional(), monthly: Decimal.optional() })
  .meta({ id: 'WorkingHours', section: '2.5', description: 'The working hours of a payroll contract.' });

/** One payroll contract of a person (section 2.5). */
export const Employment: Model<models.Employment> = z
  .strictObject({
    payrollContractId: Identifier.describe('Opaque; its present form `<companyId>-<employeeNumber>` may change.'),
    personGroupCode: Identifier.optional(),
    fullTime: z.boolean().optional(),
    permanent: z.boolean().optional(),
    start: LocalDate.optional(),
    end: LocalDate.optional(),
    fixedTermEndDate: LocalDate.optional(),
    workingHours: WorkingHours.optional(),
    paymentTime: openEnum('FIFTEENTH').optional(),
  })
  .meta({ id: 'Employment', section: '2.5', description: 'One payroll contract of a person.' });
export type Employment = models.Employment;
