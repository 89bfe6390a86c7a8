import { z } from 'zod';
import type * as models from './generated/models.ts';
import { Address } from './address.ts';
import { BankDetails } from './bank-details.ts';
import { CustomField } from './custom-field.ts';
import { Employment } from './employment.ts';
import { Identifier } from './identifier.ts';
import { LocalDate } from './local-date.ts';
import { openEnum } from './open-enum.ts';
import { text } from './text.ts';

const LegalEntity = z.strictObject({ id: Identifier }).meta({
  id: 'LegalEntity',
  section: '2.1',
  description: 'The legal entity the person is primarily associated with.',
});
const Group = z
  .strictObject({ id: Identifier, type: openEnum('COMPANY').optional() })
  .meta({ id: 'Group', section: '2.1', description: 'A group of persons, such as a company.' });

const fields = {
  id: Identifier.describe("Unique identifier of the person. It equals the person's id in the master API."),
  academicTitle: text({ max: 80 }).optional(),
  firstName: text({ max: 80 }).optional(),
  middleName: text({ max: 80 }).describe('Always empty: the payroll system puts it into firstName.').optional(),
  lastName: text({ max: 80 }).optional(),
  birthName: text({ max: 80 }).optional(),
  prefixToLastName: text({ max: 80 }).optional(),
  titleOfNobility: text({ max: 80 }).optional(),
  suffixToLastName: text({ max: 80 })
    .describe('Senior, junior, postfixed academic titles, abbreviations of religious orders and public offices.')
    .optional(),
  gender: z
    .enum(['MALE', 'FEMALE', 'INTERSEX', 'UNSPECIFIED'])
    .describe('Gender according to birth certificate or passport.')
    .optional(),
  dateOfBirth: LocalDate.optional(),
  citizenship: text({ min: 2, max: 2 }).optional(),
  address: Address.optional(),
  bankDetails: BankDetails.optional(),
  businessEmail: text({ max: 254, pattern: /^.+@.+$/ })
    .describe('The standard business e-mail address.')
    .optional(),
  usualPlaceOfWork: text({ max: 33 })
    .describe('Name of the place where the person can usually be reached and receive visitors or mail.')
    .optional(),
  status: z.enum(['ACTIVE', 'INACTIVE']).describe('Account status of the person.').optional(),
  groupEntryDate: LocalDate.describe('Start of the first employment with the organisation.').optional(),
  groupExitDate: LocalDate.describe('End or planned end of the last employment with the organisation.').optional(),
  exitReasonId: text({ max: 2 }).describe('Identifier of the reason for exit.').optional(),
  exitNoticeDate: LocalDate.describe(
    'Effective date of termination: received or declared, depending on the reason.',
  ).optional(),
  expectedStartOfPension: LocalDate.optional(),
  employeeNumber: text({ max: 20 }).optional(),
  jobTitle: text({ max: 400 }).optional(),
  legalEntity: LegalEntity.optional(),
  groups: z.array(Group).describe('A person can be in several groups of the same and of different types.').optional(),
  managerId: Identifier.describe('Person id of the disciplinary manager.').optional(),
  keyNumber: Identifier.describe("The person's ID number at time-recording terminals.").optional(),
  employments: z.array(Employment).describe('The payroll contracts.').optional(),
  customFields: z.array(CustomField).describe('The fields that are configured for the client.').optional(),
};

const payrollContractIds = z
  .array(Identifier)
  .meta({
    deprecated: true,
    description: 'Use `employments`, which carries more. May contain ids unknown to the payroll system.',
  })
  .optional();

/** The models of a person's fields, as a named type, because inferred types are published without comments. */
export type PersonFields = typeof fields & {
  /** @deprecated Use `employments`, which carries more. May contain ids unknown to the payroll system. */
  payrollContractIds: typeof payrollContractIds;
};

/** A person (section 2.1). Complete responses omit fields without a value, but have all arrays that the client may see. */
export const Person: z.ZodObject<PersonFields, z.core.$strict> = z
  .strictObject({ ...fields, payrollContractIds })
  .meta({ id: 'Person', section: '2.1', description: 'A person. Fields without a value are missing.' });
export type Person = models.Person;
