// Written from the models by the tests: change these, then run `pnpm --filter @hr/schemas test -u`.

/**
 * A StreetAddress or a PostOfficeBox: beside a filled postOfficeBox, street and houseNumber are empty
 * (section 2.2).
 */
export interface Address {
  /** Excludes the house number. At most 255 characters (section 2.2). */
  street?: string | null | undefined;
  /** Extracted automatically from the street on the platform side. At most 20 characters (section 2.2). */
  houseNumber?: string | null | undefined;
  /** Apartment or suite information. At most 255 characters (section 2.2). */
  additionalAddressInfo?: string | null | undefined;
  /** If it is filled, street and houseNumber are empty. At most 20 characters (section 2.2). */
  postOfficeBox?: string | null | undefined;
  /** At most 10 characters (section 2.2). */
  zipCode?: string | null | undefined;
  /** At most 255 characters (section 2.2). */
  city?: string | null | undefined;
  /** ISO 3166-2. Not available in the payroll system. 4 to 6 characters (section 2.2). */
  stateCode?: string | null | undefined;
  /** ISO 3166-1 alpha-2. 2 characters (section 2.2). */
  country?: string | null | undefined;
}

/** The bank account of a person (section 2.4). */
export interface BankDetails {
  /** 5 to 34 characters. Matches `^[A-Z]{2}\d{2}[A-Z\d]{1,30}$` (section 2.4). */
  iban?: string | null | undefined;
  /** 8 to 11 characters. Matches `^[A-Z\d]{4}[A-Z]{2}[A-Z\d]{2}(?:[A-Z\d]{3})?$` (section 2.4). */
  bic?: string | null | undefined;
  /** Name of the payee, if different from the person. At most 70 characters (section 2.4). */
  payee?: string | null | undefined;
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
  type?: 'COMPANY' | (string & {}) | null | undefined;
}

/** The working hours of a payroll contract (section 2.5). */
export interface WorkingHours {
  /** See section 2.5. */
  daily?: number | null | undefined;
  /** See section 2.5. */
  weekly?: number | null | undefined;
  /** See section 2.5. */
  monthly?: number | null | undefined;
}

/** One payroll contract of a person (section 2.5). */
export interface Employment {
  /** Opaque; its present form `<companyId>-<employeeNumber>` may change (section 2.5). */
  payrollContractId: string;
  /** See section 2.5. */
  personGroupCode?: string | null | undefined;
  /** See section 2.5. */
  fullTime?: boolean | null | undefined;
  /** See section 2.5. */
  permanent?: boolean | null | undefined;
  /** A date `YYYY-MM-DD` (section 2.5). */
  start?: string | null | undefined;
  /** A date `YYYY-MM-DD` (section 2.5). */
  end?: string | null | undefined;
  /** A date `YYYY-MM-DD` (section 2.5). */
  fixedTermEndDate?: string | null | undefined;
  /** The working hours of a payroll contract (section 2.5). */
  workingHours?: WorkingHours | null | undefined;
  /** See section 2.5. */
  paymentTime?: 'FIFTEENTH' | (string & {}) | null | undefined;
}

/** A field that the operator added to persons. A client sees the fields that are configured for it (section 2.6). */
export interface CustomField {
  /** See section 2.6. */
  name: string;
  /** See section 2.6. */
  type?: 'STRING' | (string & {}) | null | undefined;
  /** See section 2.6. */
  textValue?: string | null | undefined;
  /** See section 2.6. */
  numberValue?: number | null | undefined;
  /** See section 2.6. */
  booleanValue?: boolean | null | undefined;
  /** A date `YYYY-MM-DD` (section 2.6). */
  dateValue?: string | null | undefined;
  /** See section 2.6. */
  selection?: string[] | null | undefined;
}

/** A person. Fields without a value are missing (section 2.1). */
export interface Person {
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
  gender?: 'MALE' | 'FEMALE' | 'INTERSEX' | 'UNSPECIFIED' | (string & {}) | null | undefined;
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
  status?: 'ACTIVE' | 'INACTIVE' | (string & {}) | null | undefined;
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
  gender?: 'MALE' | 'FEMALE' | 'INTERSEX' | 'UNSPECIFIED' | (string & {}) | null | undefined;
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
  status?: 'ACTIVE' | 'INACTIVE' | (string & {}) | null | undefined;
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
  deleted?: true | null | undefined;
  /** All data of the person was deleted for good: delete yours. Every other field is `null` (section 4.2). */
  erased?: true | null | undefined;
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
  amount?: number | null | undefined;
  /** The specification states no meaning and no unit (section 2.7). */
  hours?: number | null | undefined;
  /** The specification states no meaning and no unit (section 2.7). */
  days?: number | null | undefined;
  /** The specification states no meaning and no unit (section 2.7). */
  hourlyFactor?: number | null | undefined;
  /** The specification states no meaning and no unit (section 2.7). */
  percentage?: number | null | undefined;
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
  amount?: number | null | undefined;
  /** The specification states no meaning and no unit (section 4.3). */
  hours?: number | null | undefined;
  /** The specification states no meaning and no unit (section 4.3). */
  days?: number | null | undefined;
  /** The specification states no meaning and no unit (section 4.3). */
  hourlyFactor?: number | null | undefined;
  /** The specification states no meaning and no unit (section 4.3). */
  percentage?: number | null | undefined;
  /** The `Idempotency-Key` with which the client submitted it (section 4.3). */
  idempotencyKey?: string | null | undefined;
  /** A decision is final (section 4.3). */
  state: 'approved' | 'rejected' | (string & {});
  /** When it was decided: an instant with an offset (section 4.3). */
  decidedAt: string;
  /** What the administrator gave as the reason (section 4.3). */
  reason?: string | null | undefined;
}

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
  targetTime?: number | null | undefined;
  /** Hours and minutes; the decimal part is the minutes, 00 to 59: 1.30 is 90 minutes (section 2.8). */
  bookedTime?: number | null | undefined;
  /** Hours and minutes; the decimal part is the minutes, 00 to 59: 1.30 is 90 minutes (section 2.8). */
  chargeableTime?: number | null | undefined;
  /** See section 2.8. */
  bookings?: TimeBooking[] | null | undefined;
}

/** The time bookings of a person, by day (section 2.8). */
export interface TimeBookingPerson {
  /** See section 2.8. */
  personId: string;
  /** See section 2.8. */
  days: TimeBookingDay[];
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
  deleted?: true | null | undefined;
}

/** The days of a person that changed (section 4.4). */
export interface TimeBookingPersonDelta {
  /** See section 2.8. */
  personId: string;
  /** See section 2.8. */
  days: TimeBookingDayDelta[];
}

/** A part of a salary (section 2.9). */
export interface SalaryValue {
  /** See section 2.9. */
  compensationComponentId: string;
  /** The specification states no currency (section 2.9). */
  value?: number | null | undefined;
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
  totalSalary?: number | null | undefined;
  /** The specification states no currency (section 2.9). */
  baseSalary?: number | null | undefined;
  /** See section 2.9. */
  values?: SalaryValue[] | null | undefined;
}

/** An absence of a person. It has no type: the key does not distinguish vacation from sickness (section 2.10). */
export interface Absence {
  /** See section 2.10. */
  id: string;
  /** See section 2.10. */
  personId: string;
  /** The first day. A date `YYYY-MM-DD` (section 2.10). */
  startDate: string;
  /** The last day. Without it the absence goes on. A date `YYYY-MM-DD` (section 2.10). */
  endDate?: string | null | undefined;
  /** The specification states no unit (section 2.10). */
  amount?: number | null | undefined;
  /** The booking key (section 2.10). */
  key?: string | null | undefined;
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
  deleted?: true | null | undefined;
}

/** What changed after a cursor (section 4.2). */
export interface Changes {
  /** The `after` of the next call (section 4.2). */
  cursor: string;
  /** What changed, empty if nothing did (section 4.2). */
  changed: ('persons' | 'timeBookings' | 'absences' | 'salaries' | 'decisions' | (string & {}))[];
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
  failingSince?: string | null | undefined;
  /** Only if it is paused: it gets nothing then (section 6). */
  pausedAt?: string | null | undefined;
  /** The key of the signatures, `whsec_` and base64. It is shown only once (section 6). */
  secret: string;
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
  failingSince?: string | null | undefined;
  /** Only if it is paused: it gets nothing then (section 6). */
  pausedAt?: string | null | undefined;
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
  status?: number | null | undefined;
  /** Only if there was no response (section 6). */
  failure?:
    | 'timeout'
    | 'unknown-host'
    | 'address-not-allowed'
    | 'certificate'
    | 'connection'
    | (string & {})
    | null
    | undefined;
  /** See section 6. */
  durationMs: number;
}

/** What a client reads of each operation: the response or an element of its list, and an element of its list of changes. */
export interface ResponseTypes {
  listPersons: { response: Person; change: PersonDelta };
  updatePerson: { response: Person; change: never };
  submitVariablePayment: { response: VariablePayment; change: never };
  listVariablePayments: { response: VariablePayment; change: never };
  listVariablePaymentDecisions: { response: VariablePaymentDecision; change: never };
  listTimeBookings: { response: TimeBookingPerson; change: TimeBookingPersonDelta };
  listSalaryHistory: { response: SalaryHistoryEntry; change: never };
  listAllSalaries: { response: SalaryHistoryEntry; change: never };
  listAbsences: { response: Absence; change: AbsenceDelta };
  listAllAbsences: { response: Absence; change: AbsenceDelta };
  getChanges: { response: Changes; change: never };
  createWebhookEndpoint: { response: WebhookEndpointWithSecret; change: never };
  listWebhookEndpoints: { response: WebhookEndpoint; change: never };
  listWebhookDeliveries: { response: WebhookDelivery; change: never };
  testWebhookEndpoint: { response: WebhookDelivery; change: never };
  rotateWebhookSecret: { response: WebhookEndpointWithSecret; change: never };
  deleteWebhookEndpoint: { response: WebhookEndpoint; change: never };
}
