import {
  Absence,
  Address,
  BankDetails,
  Changes,
  CustomField,
  Employment,
  Person,
  PersonPatch,
  PostOfficeBox,
  SalaryHistoryEntry,
  StreetAddress,
  TimeBookingDay,
  TimeBookingPerson,
  VariablePayment,
  VariablePaymentDecision,
  VariablePaymentRequest,
} from '../src/index.ts';
import * as specification from './specification.ts';

/** Each model beside what the specification says of it. */
export const models = {
  Absence: { schema: Absence, specified: specification.Absence },
  Address: { schema: Address, specified: specification.Address },
  BankDetails: { schema: BankDetails, specified: specification.BankDetails },
  Changes: { schema: Changes, specified: specification.Changes },
  CustomField: { schema: CustomField, specified: specification.CustomField },
  Employment: { schema: Employment, specified: specification.Employment },
  Person: { schema: Person, specified: specification.Person },
  PersonPatch: { schema: PersonPatch, specified: specification.PersonPatch },
  PostOfficeBox: { schema: PostOfficeBox, specified: specification.PostOfficeBox },
  SalaryHistoryEntry: { schema: SalaryHistoryEntry, specified: specification.SalaryHistoryEntry },
  StreetAddress: { schema: StreetAddress, specified: specification.StreetAddress },
  TimeBookingDay: { schema: TimeBookingDay, specified: specification.TimeBookingDay },
  TimeBookingPerson: { schema: TimeBookingPerson, specified: specification.TimeBookingPerson },
  VariablePayment: { schema: VariablePayment, specified: specification.VariablePayment },
  VariablePaymentDecision: { schema: VariablePaymentDecision, specified: specification.VariablePaymentDecision },
  VariablePaymentRequest: { schema: VariablePaymentRequest, specified: specification.VariablePaymentRequest },
};
