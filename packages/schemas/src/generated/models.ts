// Written from the models by the tests: change these, then run `pnpm --filter @hr/schemas test -u`.

import type { AtLeastOne, OneFilled } from '../rule-types.ts';

/** An absence of a person. It has no type: the key does not distinguish vacation from sickness (section 2.10). */
export interface Absence {
  /** See section 2.10. */
  id: string;
  /** See section 2.10. */
  personId: string;
  /** The first day. A date `YYYY-MM-DD` (section 2.10). */
  startDate: string;
  /** The last day. Without it the absence goes on. A date `YYYY-MM-DD` (section 2.10). */
  endDate?: string | undefined;
  /** The specification states no unit (section 2.10). */
  amount?: number | undefined;
  /** The booking key (section 2.10). */
  key?: string | undefined;
}

/** An absence that changed. Its fields are `null` when it was deleted (section 4.6). */
export interface AbsenceDelta {
  /** See section 2.10. */
  id: string;
  /** See section 2.10. */
  personId: string;
  /** The first day. A date `YYYY-MM-DD` (section 2.10). */
  startDate: string | null;
  /** The last day. Without it the absence goes on. A date `YYYY-MM-DD` (section 2.10). */
  endDate?: string | null | undefined;
  /** The specification states no unit (section 2.10). */
  amount?: number | null | undefined;
  /** The booking key (section 2.10). */
  key?: string | null | undefined;
  /** It was deleted: delete yours. Every field that is not an id or the date is `null` (section 4.6). */
  deleted?: true | undefined;
}

/** The fields of Address, without its rules over several of them. */
export interface AddressFields {
  /** Excludes the house number. At most 255 characters (section 2.2). */
  street?: unknown;
  /** Extracted automatically from the street on the platform side. At most 20 characters (section 2.2). */
  houseNumber?: unknown;
  /** Apartment or suite information. At most 255 characters (section 2.2). */
  additionalAddressInfo?: string | undefined;
  /** If it is filled, street and houseNumber are empty. At most 20 characters (section 2.2). */
  postOfficeBox?: unknown;
  /** At most 10 characters (section 2.2). */
  zipCode?: string | undefined;
  /** At most 255 characters (section 2.2). */
  city?: string | undefined;
  /** ISO 3166-2. Not available in the payroll system. 4 to 6 characters (section 2.2). */
  stateCode?: string | undefined;
  /** ISO 3166-1 alpha-2. 2 characters (section 2.2). */
  country?: string | undefined;
}

/**
 * A StreetAddress or a PostOfficeBox: beside a filled postOfficeBox, street and houseNumber are empty
 * (section 2.2).
 */
export type Address = AddressFields & OneFilled<'postOfficeBox', 'street' | 'houseNumber'>;

/** An address with a post-office box (section 2.3). */
export interface PostOfficeBox {
  /** Apartment or suite information. At most 255 characters (section 2.3). */
  additionalAddressInfo?: string | undefined;
  /** If it is filled, street and houseNumber are empty. At most 20 characters (section 2.3). */
  postOfficeBox?: string | undefined;
  /** At most 10 characters (section 2.3). */
  zipCode?: string | undefined;
  /** At most 255 characters (section 2.3). */
  city?: string | undefined;
  /** ISO 3166-2. Not available in the payroll system. 4 to 6 characters (section 2.3). */
  stateCode?: string | undefined;
  /** ISO 3166-1 alpha-2. 2 characters (section 2.3). */
  country?: string | undefined;
}

/** An address with a street (section 2.2). */
export interface StreetAddress {
  /** Excludes the house number. At most 255 characters (section 2.2). */
  street?: string | undefined;
  /** Extracted automatically from the street on the platform side. At most 20 characters (section 2.2). */
  houseNumber?: string | undefined;
  /** Apartment or suite information. At most 255 characters (section 2.2). */
  additionalAddressInfo?: string | undefined;
  /** At most 10 characters (section 2.2). */
  zipCode?: string | undefined;
  /** At most 255 characters (section 2.2). */
  city?: string | undefined;
  /** ISO 3166-2. Not available in the payroll system. 4 to 6 characters (section 2.2). */
  stateCode?: string | undefined;
  /** ISO 3166-1 alpha-2. 2 characters (section 2.2). */
  country?: string | undefined;
}

/** What changed after a cursor (section 4.2). */
export interface Changes {
  /** The `after` of the next call (section 4.2). */
  cursor: string;
  /** What changed, empty if nothing did (section 4.2). */
  changed: ('persons' | 'timeBookings' | 'absences' | 'salaries' | 'decisions' | (string & {}))[];
}

/** The bank account of a person (section 2.4). */
export interface BankDetails {
  /** 5 to 34 characters. Matches `^[A-Z]{2}\d{2}[A-Z\d]{1,30}$` (section 2.4). */
  iban?: string | undefined;
  /** 8 to 11 characters. Matches `^[A-Z\d]{4}[A-Z]{2}[A-Z\d]{2}(?:[A-Z\d]{3})?$` (section 2.4). */
  bic?: string | undefined;
  /** Name of the payee, if different from the person. At most 70 characters (section 2.4). */
  payee?: string | undefined;
}

/** A field that the operator added to persons. A client sees the fields that are configured for it (section 2.6). */
export interface CustomField {
  /** See section 2.6. */
  name: string;
  /** See section 2.6. */
  type?: 'STRING' | (string & {}) | undefined;
  /** See section 2.6. */
  textValue?: string | undefined;
  /** See section 2.6. */
  numberValue?: number | undefined;
  /** See section 2.6. */
  booleanValue?: boolean | undefined;
  /** A date `YYYY-MM-DD` (section 2.6). */
  dateValue?: string | undefined;
  /** See section 2.6. */
  selection?: string[] | undefined;
}

/** The working hours of a payroll contract (section 2.5). */
export interface WorkingHours {
  /** See section 2.5. */
  daily?: number | undefined;
  /** See section 2.5. */
  weekly?: number | undefined;
  /** See section 2.5. */
  monthly?: number | undefined;
}

/** One payroll contract of a person (section 2.5). */
export interface Employment {
  /** Opaque; its present form `<companyId>-<employeeNumber>` may change (section 2.5). */
  payrollContractId: string;
  /** See section 2.5. */
  personGroupCode?: string | undefined;
  /** See section 2.5. */
  fullTime?: boolean | undefined;
  /** See section 2.5. */
  permanent?: boolean | undefined;
  /** A date `YYYY-MM-DD` (section 2.5). */
  start?: string | undefined;
  /** A date `YYYY-MM-DD` (section 2.5). */
  end?: string | undefined;
  /** A date `YYYY-MM-DD` (section 2.5). */
  fixedTermEndDate?: string | undefined;
  /** The working hours of a payroll contract (section 2.5). */
  workingHours?: WorkingHours | undefined;
  /** See section 2.5. */
  paymentTime?: 'FIFTEENTH' | (string & {}) | undefined;
}

/** The legal entity the person is primarily associated with (section 2.1). */
export interface LegalEntity {
  /** See section 2.1. */
  id: string;
}

/** A group of persons, such as a company (section 2.1). */
export interface Group {
  /** See section 2.1. */
  id: string;
  /** See section 2.1. */
  type?: 'COMPANY' | (string & {}) | undefined;
}

/** A person. Fields without a value are missing (section 2.1). */
export interface Person {
  /** Unique identifier of the person. It equals the person's id in the master API (section 2.1). */
  id: string;
  /** At most 80 characters (section 2.1). */
  academicTitle?: string | undefined;
  /** At most 80 characters (section 2.1). */
  firstName?: string | undefined;
  /** Always empty: the payroll system puts it into firstName. At most 80 characters (section 2.1). */
  middleName?: string | undefined;
  /** At most 80 characters (section 2.1). */
  lastName?: string | undefined;
  /** At most 80 characters (section 2.1). */
  birthName?: string | undefined;
  /** At most 80 characters (section 2.1). */
  prefixToLastName?: string | undefined;
  /** At most 80 characters (section 2.1). */
  titleOfNobility?: string | undefined;
  /**
   * Senior, junior, postfixed academic titles, abbreviations of religious orders and public offices. At most 80
   * characters (section 2.1).
   */
  suffixToLastName?: string | undefined;
  /** Gender according to birth certificate or passport (section 2.1). */
  gender?: 'MALE' | 'FEMALE' | 'INTERSEX' | 'UNSPECIFIED' | undefined;
  /** A date `YYYY-MM-DD` (section 2.1). */
  dateOfBirth?: string | undefined;
  /** 2 characters (section 2.1). */
  citizenship?: string | undefined;
  /**
   * A StreetAddress or a PostOfficeBox: beside a filled postOfficeBox, street and houseNumber are empty
   * (section 2.1).
   */
  address?: Address | undefined;
  /** The bank account of a person (section 2.1). */
  bankDetails?: BankDetails | undefined;
  /** The standard business e-mail address. At most 254 characters. Matches `^.+@.+$` (section 2.1). */
  businessEmail?: string | undefined;
  /**
   * Name of the place where the person can usually be reached and receive visitors or mail. At most 33 characters
   * (section 2.1).
   */
  usualPlaceOfWork?: string | undefined;
  /** Account status of the person (section 2.1). */
  status?: 'ACTIVE' | 'INACTIVE' | undefined;
  /** Start of the first employment with the organisation. A date `YYYY-MM-DD` (section 2.1). */
  groupEntryDate?: string | undefined;
  /** End or planned end of the last employment with the organisation. A date `YYYY-MM-DD` (section 2.1). */
  groupExitDate?: string | undefined;
  /** Identifier of the reason for exit. At most 2 characters (section 2.1). */
  exitReasonId?: string | undefined;
  /**
   * Effective date of termination: received or declared, depending on the reason. A date `YYYY-MM-DD`
   * (section 2.1).
   */
  exitNoticeDate?: string | undefined;
  /** A date `YYYY-MM-DD` (section 2.1). */
  expectedStartOfPension?: string | undefined;
  /** At most 20 characters (section 2.1). */
  employeeNumber?: string | undefined;
  /** At most 400 characters (section 2.1). */
  jobTitle?: string | undefined;
  /** The legal entity the person is primarily associated with (section 2.1). */
  legalEntity?: LegalEntity | undefined;
  /** A person can be in several groups of the same and of different types (section 2.1). */
  groups?: Group[] | undefined;
  /** Person id of the disciplinary manager (section 2.1). */
  managerId?: string | undefined;
  /** The person's ID number at time-recording terminals (section 2.1). */
  keyNumber?: string | undefined;
  /** The payroll contracts (section 2.1). */
  employments?: Employment[] | undefined;
  /** The fields that are configured for the client (section 2.1). */
  customFields?: CustomField[] | undefined;
  /**
   * See section 2.1.
   *
   * @deprecated Use `employments`, which carries more. May contain ids unknown to the payroll system.
   */
  payrollContractIds?: string[] | undefined;
}

/**
 * Only the fields of the systems that changed. There, and nowhere else, `null` says that a field has no value
 * (section 4.2).
 */
export interface PersonDelta {
  /** Unique identifier of the person. It equals the person's id in the master API (section 2.1). */
  id: string;
  /** At most 80 characters (section 2.1). */
  academicTitle?: string | null | undefined;
  /** At most 80 characters (section 2.1). */
  firstName?: string | null | undefined;
  /** Always empty: the payroll system puts it into firstName. At most 80 characters (section 2.1). */
  middleName?: string | null | undefined;
  /** At most 80 characters (section 2.1). */
  lastName?: string | null | undefined;
  /** At most 80 characters (section 2.1). */
  birthName?: string | null | undefined;
  /** At most 80 characters (section 2.1). */
  prefixToLastName?: string | null | undefined;
  /** At most 80 characters (section 2.1). */
  titleOfNobility?: string | null | undefined;
  /**
   * Senior, junior, postfixed academic titles, abbreviations of religious orders and public offices. At most 80
   * characters (section 2.1).
   */
  suffixToLastName?: string | null | undefined;
  /** Gender according to birth certificate or passport (section 2.1). */
  gender?: 'MALE' | 'FEMALE' | 'INTERSEX' | 'UNSPECIFIED' | null | undefined;
  /** A date `YYYY-MM-DD` (section 2.1). */
  dateOfBirth?: string | null | undefined;
  /** 2 characters (section 2.1). */
  citizenship?: string | null | undefined;
  /**
   * A StreetAddress or a PostOfficeBox: beside a filled postOfficeBox, street and houseNumber are empty
   * (section 2.1).
   */
  address?: Address | null | undefined;
  /** The bank account of a person (section 2.1). */
  bankDetails?: BankDetails | null | undefined;
  /** The standard business e-mail address. At most 254 characters. Matches `^.+@.+$` (section 2.1). */
  businessEmail?: string | null | undefined;
  /**
   * Name of the place where the person can usually be reached and receive visitors or mail. At most 33 characters
   * (section 2.1).
   */
  usualPlaceOfWork?: string | null | undefined;
  /** Account status of the person (section 2.1). */
  status?: 'ACTIVE' | 'INACTIVE' | null | undefined;
  /** Start of the first employment with the organisation. A date `YYYY-MM-DD` (section 2.1). */
  groupEntryDate?: string | null | undefined;
  /** End or planned end of the last employment with the organisation. A date `YYYY-MM-DD` (section 2.1). */
  groupExitDate?: string | null | undefined;
  /** Identifier of the reason for exit. At most 2 characters (section 2.1). */
  exitReasonId?: string | null | undefined;
  /**
   * Effective date of termination: received or declared, depending on the reason. A date `YYYY-MM-DD`
   * (section 2.1).
   */
  exitNoticeDate?: string | null | undefined;
  /** A date `YYYY-MM-DD` (section 2.1). */
  expectedStartOfPension?: string | null | undefined;
  /** At most 20 characters (section 2.1). */
  employeeNumber?: string | null | undefined;
  /** At most 400 characters (section 2.1). */
  jobTitle?: string | null | undefined;
  /** The legal entity the person is primarily associated with (section 2.1). */
  legalEntity?: LegalEntity | null | undefined;
  /** A person can be in several groups of the same and of different types (section 2.1). */
  groups?: Group[] | null | undefined;
  /** Person id of the disciplinary manager (section 2.1). */
  managerId?: string | null | undefined;
  /** The person's ID number at time-recording terminals (section 2.1). */
  keyNumber?: string | null | undefined;
  /** The payroll contracts (section 2.1). */
  employments?: Employment[] | null | undefined;
  /** The fields that are configured for the client (section 2.1). */
  customFields?: CustomField[] | null | undefined;
  /**
   * See section 2.1.
   *
   * @deprecated Use `employments`, which carries more. May contain ids unknown to the payroll system.
   */
  payrollContractIds?: string[] | null | undefined;
  /** It was deleted: delete yours. Every field that is not an id or the date is `null` (section 4.2). */
  deleted?: true | undefined;
  /** All data of the person was deleted for good: delete yours. Every other field is `null` (section 4.2). */
  erased?: true | undefined;
}

/** A change of a person. A sent property replaces the stored one completely. Other properties stay (section 4.1). */
export interface PersonPatch {
  /** The first one becomes the default address (section 4.1). */
  addresses?: Address[] | undefined;
  /** The bank account of a person (section 4.1). */
  bankDetails?: BankDetails | undefined;
}

/** A part of a salary (section 2.9). */
export interface SalaryValue {
  /** See section 2.9. */
  compensationComponentId: string;
  /** The specification states no currency (section 2.9). */
  value?: number | undefined;
}

/** The salary of a payroll contract in a month (section 2.9). */
export interface SalaryHistoryEntry {
  /** See section 2.9. */
  payrollContractId: string;
  /** See section 2.9. */
  year: number;
  /** 1 is January. 1 to 12 (section 2.9). */
  month: number;
  /** The specification states no currency (section 2.9). */
  totalSalary?: number | undefined;
  /** The specification states no currency (section 2.9). */
  baseSalary?: number | undefined;
  /** See section 2.9. */
  values?: SalaryValue[] | undefined;
}

/** A variable payment (section 2.7). */
export interface VariablePayment {
  /** The payroll contract the payment belongs to (section 2.7). */
  payrollContractId: string;
  /** Billing period of the payment. A month `YYYY-MM` (section 2.7). */
  billingPeriod: string;
  /** Month this payment affects. Defaults to the billing period. A month `YYYY-MM` (section 2.7). */
  correctionPeriod: string;
  /** The compensation component the payment is for (section 2.7). */
  compensationComponentId: string;
  /** Fixed amount to be taken into account. The specification states no currency (section 2.7). */
  amount?: number | undefined;
  /** The specification states no meaning and no unit (section 2.7). */
  hours?: number | undefined;
  /** The specification states no meaning and no unit (section 2.7). */
  days?: number | undefined;
  /** The specification states no meaning and no unit (section 2.7). */
  hourlyFactor?: number | undefined;
  /** The specification states no meaning and no unit (section 2.7). */
  percentage?: number | undefined;
}

/** A decision on a variable payment that the client submitted (section 4.3). */
export interface VariablePaymentDecision {
  /** The payroll contract the payment belongs to (section 4.3). */
  payrollContractId: string;
  /** Billing period of the payment. A month `YYYY-MM` (section 4.3). */
  billingPeriod: string;
  /** Month this payment affects. Defaults to the billing period. A month `YYYY-MM` (section 4.3). */
  correctionPeriod: string;
  /** The compensation component the payment is for (section 4.3). */
  compensationComponentId: string;
  /** Fixed amount to be taken into account. The specification states no currency (section 4.3). */
  amount?: number | undefined;
  /** The specification states no meaning and no unit (section 4.3). */
  hours?: number | undefined;
  /** The specification states no meaning and no unit (section 4.3). */
  days?: number | undefined;
  /** The specification states no meaning and no unit (section 4.3). */
  hourlyFactor?: number | undefined;
  /** The specification states no meaning and no unit (section 4.3). */
  percentage?: number | undefined;
  /** The `Idempotency-Key` with which the client submitted it (section 4.3). */
  idempotencyKey?: string | undefined;
  /** A decision is final (section 4.3). */
  state: 'approved' | 'rejected' | (string & {});
  /** When it was decided: an instant with an offset (section 4.3). */
  decidedAt: string;
  /** What the administrator gave as the reason (section 4.3). */
  reason?: string | undefined;
}

/** The fields of VariablePaymentRequest, without its rules over several of them. */
export interface VariablePaymentRequestFields {
  /** Month this payment affects. Defaults to the billing period. A month `YYYY-MM` (section 2.7). */
  correctionPeriod?: string | undefined;
  /** The compensation component the payment is for (section 2.7). */
  compensationComponentId: string;
  /** Fixed amount to be taken into account. The specification states no currency (section 2.7). */
  amount?: number | undefined;
  /** The specification states no meaning and no unit (section 2.7). */
  hours?: number | undefined;
  /** The specification states no meaning and no unit (section 2.7). */
  days?: number | undefined;
  /** The specification states no meaning and no unit (section 2.7). */
  hourlyFactor?: number | undefined;
  /** The specification states no meaning and no unit (section 2.7). */
  percentage?: number | undefined;
}

/** A payment to submit for approval. A negative amount is a reversal (section 2.7). */
export type VariablePaymentRequest = VariablePaymentRequestFields &
  AtLeastOne<'amount' | 'hours' | 'days' | 'hourlyFactor' | 'percentage'>;

/** A clock-in or clock-out (section 2.8). */
export interface TimeBooking {
  /** A local date and time `YYYY-MM-DDTHH:MM[:SS[.fraction]]` (section 2.8). */
  time: string;
  /** The booking key (section 2.8). */
  key: string;
}

/** One day of a person's time account (section 2.8). */
export interface TimeBookingDay {
  /** A date `YYYY-MM-DD` (section 2.8). */
  date: string;
  /** Hours and minutes; the decimal part is the minutes, 00 to 59: 1.30 is 90 minutes (section 2.8). */
  targetTime?: number | undefined;
  /** Hours and minutes; the decimal part is the minutes, 00 to 59: 1.30 is 90 minutes (section 2.8). */
  bookedTime?: number | undefined;
  /** Hours and minutes; the decimal part is the minutes, 00 to 59: 1.30 is 90 minutes (section 2.8). */
  chargeableTime?: number | undefined;
  /** See section 2.8. */
  bookings?: TimeBooking[] | undefined;
}

/** A day that changed. Its fields are `null` when it was deleted (section 4.4). */
export interface TimeBookingDayDelta {
  /** A date `YYYY-MM-DD` (section 2.8). */
  date: string;
  /** Hours and minutes; the decimal part is the minutes, 00 to 59: 1.30 is 90 minutes (section 2.8). */
  targetTime?: number | null | undefined;
  /** Hours and minutes; the decimal part is the minutes, 00 to 59: 1.30 is 90 minutes (section 2.8). */
  bookedTime?: number | null | undefined;
  /** Hours and minutes; the decimal part is the minutes, 00 to 59: 1.30 is 90 minutes (section 2.8). */
  chargeableTime?: number | null | undefined;
  /** See section 2.8. */
  bookings?: TimeBooking[] | null | undefined;
  /** It was deleted: delete yours. Every field that is not an id or the date is `null` (section 4.4). */
  deleted?: true | undefined;
}

/** The time bookings of a person, by day (section 2.8). */
export interface TimeBookingPerson {
  /** See section 2.8. */
  personId: string;
  /** See section 2.8. */
  days: TimeBookingDay[];
}

/** The days of a person that changed (section 4.4). */
export interface TimeBookingPersonDelta {
  /** See section 2.8. */
  personId: string;
  /** See section 2.8. */
  days: TimeBookingDayDelta[];
}

/** A URL that hears of changes from now on (section 6). */
export interface NewWebhookEndpoint {
  /** Where notices are sent: an `https` URL of a public host. At most 2000 characters (section 6). */
  url: string;
}

/** An attempt to send to a webhook endpoint (section 6). */
export interface WebhookDelivery {
  /** The header `webhook-id`. Attempts to send the same notice have the same one (section 6). */
  messageId: string;
  /** See section 6. */
  type: 'changes' | 'test' | (string & {});
  /** An instant (section 6). */
  sentAt: string;
  /** 1, and more after failures (section 6). */
  attempt: number;
  /** HTTP status of the response. Only 2xx is a success (section 6). */
  status?: number | undefined;
  /** Only if there was no response (section 6). */
  failure?:
    | 'timeout'
    | 'unknown-host'
    | 'address-not-allowed'
    | 'certificate'
    | 'connection'
    | (string & {})
    | undefined;
  /** See section 6. */
  durationMs: number;
}

/** A URL of the client that hears of changes (section 6). */
export interface WebhookEndpoint {
  /** See section 6. */
  id: string;
  /** See section 6. */
  url: string;
  /** An instant (section 6). */
  createdAt: string;
  /** How many attempts have failed since the last one that succeeded (section 6). */
  failures: number;
  /** Only if the last attempt failed (section 6). */
  failingSince?: string | undefined;
  /** Only if it is paused: it gets nothing then (section 6). */
  pausedAt?: string | undefined;
}

/** A webhook endpoint with a new secret (section 6). */
export interface WebhookEndpointWithSecret {
  /** See section 6. */
  id: string;
  /** See section 6. */
  url: string;
  /** An instant (section 6). */
  createdAt: string;
  /** How many attempts have failed since the last one that succeeded (section 6). */
  failures: number;
  /** Only if the last attempt failed (section 6). */
  failingSince?: string | undefined;
  /** Only if it is paused: it gets nothing then (section 6). */
  pausedAt?: string | undefined;
  /** The key of the signatures, `whsec_` and base64. It is shown only once (section 6). */
  secret: string;
}

/** The types of each operation: parameters, body, response or element of its list, and element of its list of changes. */
export interface OperationTypes {
  listPersons: {
    path: Record<string, never>;
    query: {
      /** Only what changed on or since this date. A date `YYYY-MM-DD` (section 4.2). */
      changedSince?: string | undefined;
      /** Only what changed after the response that had this cursor, of any list (section 4.2). */
      after?: string | undefined;
    };
    body: undefined;
    response: Person;
    change: PersonDelta;
  };
  updatePerson: {
    path: {
      /** Id of the person (section 4.1). */
      id: string;
    };
    query: Record<string, never>;
    body: PersonPatch;
    response: Person;
    change: never;
  };
  submitVariablePayment: {
    path: {
      /** `payrollContractId` of one of the `employments` of a person (section 4.3). */
      contractId: string;
    };
    query: {
      /** The targeted billing period, such as 2026-01. A month `YYYY-MM` (section 4.3). */
      billingPeriod: string;
    };
    body: VariablePaymentRequest;
    response: VariablePayment;
    change: never;
  };
  listVariablePayments: {
    path: {
      /** `payrollContractId` of one of the `employments` of a person (section 4.3). */
      contractId: string;
    };
    query: {
      /** Only payments of this billing period. A month `YYYY-MM` (section 4.3). */
      billingPeriod?: string | undefined;
    };
    body: undefined;
    response: VariablePayment;
    change: never;
  };
  listVariablePaymentDecisions: {
    path: Record<string, never>;
    query: {
      /** Only what changed after the response that had this cursor, of any list (section 4.3). */
      after?: string | undefined;
    };
    body: undefined;
    response: VariablePaymentDecision;
    change: never;
  };
  listTimeBookings: {
    path: Record<string, never>;
    query: {
      /** First day, inclusive. A date `YYYY-MM-DD` (section 4.4). */
      from?: string | undefined;
      /** Last day, inclusive. A date `YYYY-MM-DD` (section 4.4). */
      to?: string | undefined;
      /** Only what changed on or since this date. A date `YYYY-MM-DD` (section 4.4). */
      changedSince?: string | undefined;
      /** Only what changed after the response that had this cursor, of any list (section 4.4). */
      after?: string | undefined;
    };
    body: undefined;
    response: TimeBookingPerson;
    change: TimeBookingPersonDelta;
  };
  listSalaryHistory: {
    path: {
      /** `payrollContractId` of one of the `employments` of a person (section 4.5). */
      contractId: string;
    };
    query: {
      /** First month, such as 2026-01, inclusive. A month `YYYY-MM` (section 4.5). */
      from?: string | undefined;
      /** Last month, such as 2026-01, inclusive. A month `YYYY-MM` (section 4.5). */
      to?: string | undefined;
    };
    body: undefined;
    response: SalaryHistoryEntry;
    change: never;
  };
  listAllSalaries: {
    path: Record<string, never>;
    query: {
      /** First month, such as 2026-01, inclusive. A month `YYYY-MM` (section 4.5). */
      from?: string | undefined;
      /** Last month, such as 2026-01, inclusive. A month `YYYY-MM` (section 4.5). */
      to?: string | undefined;
    };
    body: undefined;
    response: SalaryHistoryEntry;
    change: never;
  };
  listAbsences: {
    path: {
      /** Id of the person (section 4.6). */
      personId: string;
    };
    query: {
      /** First day, inclusive. A date `YYYY-MM-DD` (section 4.6). */
      from?: string | undefined;
      /** Last day, inclusive. A date `YYYY-MM-DD` (section 4.6). */
      to?: string | undefined;
      /** Only what changed on or since this date. A date `YYYY-MM-DD` (section 4.6). */
      changedSince?: string | undefined;
    };
    body: undefined;
    response: Absence;
    change: AbsenceDelta;
  };
  listAllAbsences: {
    path: Record<string, never>;
    query: {
      /** First day, inclusive. A date `YYYY-MM-DD` (section 4.6). */
      from?: string | undefined;
      /** Last day, inclusive. A date `YYYY-MM-DD` (section 4.6). */
      to?: string | undefined;
      /** Only what changed on or since this date. A date `YYYY-MM-DD` (section 4.6). */
      changedSince?: string | undefined;
      /** Only what changed after the response that had this cursor, of any list (section 4.6). */
      after?: string | undefined;
    };
    body: undefined;
    response: Absence;
    change: AbsenceDelta;
  };
  getChanges: {
    path: Record<string, never>;
    query: {
      /** Only what changed after the response that had this cursor, of any list (section 4.2). */
      after?: string | undefined;
      /** How many seconds to wait for a change, 0 to 50. Default 0 (section 4.2). */
      wait?: string | undefined;
    };
    body: undefined;
    response: Changes;
    change: never;
  };
  createWebhookEndpoint: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: NewWebhookEndpoint;
    response: WebhookEndpointWithSecret;
    change: never;
  };
  listWebhookEndpoints: {
    path: Record<string, never>;
    query: Record<string, never>;
    body: undefined;
    response: WebhookEndpoint;
    change: never;
  };
  listWebhookDeliveries: {
    path: {
      /** Id of the webhook endpoint (section 6). */
      endpointId: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: WebhookDelivery;
    change: never;
  };
  testWebhookEndpoint: {
    path: {
      /** Id of the webhook endpoint (section 6). */
      endpointId: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: WebhookDelivery;
    change: never;
  };
  rotateWebhookSecret: {
    path: {
      /** Id of the webhook endpoint (section 6). */
      endpointId: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: WebhookEndpointWithSecret;
    change: never;
  };
  deleteWebhookEndpoint: {
    path: {
      /** Id of the webhook endpoint (section 6). */
      endpointId: string;
    };
    query: Record<string, never>;
    body: undefined;
    response: WebhookEndpoint;
    change: never;
  };
}
