/**
 * The models of the HR Cloud API. Sections, such as section 4.2, are those of the HR Cloud API specification.
 *
 * @packageDocumentation
 */
export { Absence, AbsenceDelta } from './absence.ts';
export { Address, PostOfficeBox, StreetAddress } from './address.ts';
export { BankDetails } from './bank-details.ts';
export { CustomField } from './custom-field.ts';
export { Decimal } from './decimal.ts';
export { Employment } from './employment.ts';
export { HoursMinutes } from './hours-minutes.ts';
export { IdempotencyKey } from './idempotency-key.ts';
export { Identifier } from './identifier.ts';
export { IntrospectionResponse, TokenQuery } from './introspection.ts';
export { issuesOf, jsonPointer } from './issues.ts';
export type { Issue, IssueCode, RawIssue } from './issues.ts';
export { isLocalDate } from './is-local-date.ts';
export { lenient } from './lenient.ts';
export { LocalDate } from './local-date.ts';
export { LocalDateTime } from './local-date-time.ts';
export { fromMinutes, toMinutes } from './minutes.ts';
export { API_SCOPE, INTROSPECTION_PATH, METADATA_PATH, REVOCATION_PATH, TOKEN_PATH } from './oauth-endpoints.ts';
export { problemsOf } from './operation-problems.ts';
export type { ProblemOf } from './operation-problems.ts';
export type {
  Body,
  ChangeOf,
  Lenient,
  ListOperationId,
  OperationId,
  PathParameters,
  Query,
  ResponseOf,
} from './operation-types.ts';
export { operations } from './operations.ts';
export type { Operation, Operations } from './operations.ts';
export { Person } from './person.ts';
export type { PersonFields } from './person.ts';
export { PersonDelta } from './person-delta.ts';
export { PersonPatch } from './person-patch.ts';
export { Problem } from './problem.ts';
export { problemKinds, problemType } from './problem-kinds.ts';
export type { ProblemKind } from './problem-kinds.ts';
export { currentName, renames } from './renames.ts';
export type { Downgraded, Renamed } from './renames.ts';
export { SalaryHistoryEntry } from './salary-history.ts';
export { text } from './text.ts';
export type { TextBounds } from './text.ts';
export { TimeBookingDay, TimeBookingDayDelta, TimeBookingPerson, TimeBookingPersonDelta } from './time-booking.ts';
export { TokenError, TokenRequest, TokenResponse } from './token.ts';
export { downgrade, upgrade } from './upgrade.ts';
export type { Renaming, Upgrade } from './upgrade.ts';
export { VariablePayment, VariablePaymentRequest, variablePaymentValues } from './variable-payment.ts';
export { wireNames } from './wire-names.ts';
export type { WireNames } from './wire-names.ts';
export { YearMonth } from './year-month.ts';
