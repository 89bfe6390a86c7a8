/**
 * The models of the HR Cloud API. Sections, such as section 4.2, are those of the HR Cloud API specification.
 *
 * @packageDocumentation
 */
export { Absence, AbsenceDelta } from './absence.ts';
export { Address, PostOfficeBox, StreetAddress } from './address.ts';
export { Changes } from './changes.ts';
export { BankDetails, CustomField, Employment } from './person-parts.ts';
export {
  Cursor,
  Decimal,
  HoursMinutes,
  IdempotencyKey,
  Identifier,
  LocalDate,
  LocalDateTime,
  text,
  YearMonth,
} from './primitives.ts';
export {
  IntrospectionResponse,
  TokenQuery,
  API_SCOPE,
  CLIENT_ASSERTION_TYPE,
  INTROSPECTION_PATH,
  METADATA_PATH,
  REVOCATION_PATH,
  TOKEN_PATH,
  TokenError,
  TokenRequest,
  TokenResponse,
} from './oauth.ts';
export { issuesOf, jsonPointer } from './issues.ts';
export type { AddressFields, VariablePaymentRequestFields } from './generated/models.ts';
export type { Issue, IssueCode } from './issues.ts';
export { isLocalDate } from './is-local-date.ts';
export { lenient } from './lenient.ts';
export { fromMinutes, toMinutes } from './minutes.ts';
export type { Model } from './model.ts';
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
export { Person, PersonDelta, PersonPatch } from './person.ts';
export { Problem } from './problem.ts';
export { problemKinds, problemType } from './problem-kinds.ts';
export type { ProblemKind } from './problem-kinds.ts';
export { currentName, renames } from './renames.ts';
export type { Downgraded, Renamed } from './renames.ts';
export {
  SalaryHistoryEntry,
  VariablePayment,
  VariablePaymentDecision,
  VariablePaymentRequest,
  variablePaymentValues,
} from './payroll.ts';
export type { TextBounds } from './primitives.ts';
export { TimeBookingDay, TimeBookingDayDelta, TimeBookingPerson, TimeBookingPersonDelta } from './time-booking.ts';
export { downgrade, upgrade } from './upgrade.ts';
export type { Renaming, Upgrade } from './upgrade.ts';
export { NewWebhookEndpoint, WebhookDelivery, WebhookEndpoint, WebhookEndpointWithSecret } from './webhook-endpoint.ts';
export { changeKinds, wireNames } from './endpoints.ts';
export type { ChangeKind, WireNames } from './endpoints.ts';
