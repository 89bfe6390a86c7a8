import type * as models from './generated/models.ts';
import type { Model } from './model.ts';
import { z } from 'zod';
import { Address } from './address.ts';
import { BankDetails, CustomField, Employment } from './person-parts.ts';
import { Identifier, LocalDate, openEnum, text } from './primitives.ts';
import { deleted, nullable } from './delta.ts';

const LegalEntity = z.strictObject({ id: Identifier }).meta({
  id: 'LegalEntity',
  section: '2.1',
  description: 'The legal entity the person is primarily associated with.',
});
const Group = z
  .strictObject({ id: Identifier, type: openEnum('COMPANY').optional() })
  .meta({ id: 'Group', section: '2.1', description: 'A group of persons, such as a company.' });

const personFields = {
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

/** A person (section 2.1). Complete responses omit fields without a value, but have all arrays that the client may see. */
export const Person: Model<models.Person> = z
  .strictObject({ ...personFields, payrollContractIds })
  .meta({ id: 'Person', section: '2.1', description: 'A person. Fields without a value are missing.' });
export type Person = models.Person;

const { id, ...fields } = Person.shape;
const erased = z
  .literal(true)
  .optional()
  .describe('All data of the person was deleted for good: delete yours. Every other field is `null`.')
  .meta({ 'x-extension': true });

/**
 * An element of a list of changes: `id` and every field of the systems that changed, `null` without a value (section
 * 4.2).
 */
export const PersonDelta: Model<models.PersonDelta> = z
  .strictObject({ id, ...nullable(fields), deleted, erased })
  .meta({
    id: 'PersonDelta',
    section: '4.2',
    description:
      'Only the fields of the systems that changed. There, and nowhere else, `null` says that a field has no value.',
  });
export type PersonDelta = models.PersonDelta;

/**
 * A change of a person (section 4.1). A sent property replaces the stored one completely, exactly as sent. Other
 * properties stay. `addresses: []` clears the address.
 */
export const PersonPatch: Model<models.PersonPatch> = z
  .strictObject({
    addresses: z.array(Address).describe('The first one becomes the default address.').optional(),
    bankDetails: BankDetails.optional(),
  })
  .meta({
    id: 'PersonPatch',
    section: '4.1',
    description: 'A change of a person. A sent property replaces the stored one completely. Other properties stay.',
  });
export type PersonPatch = models.PersonPatch;
