/**
 * The client of the HR Cloud API. Sections, such as section 4.2, are those of the HR Cloud API specification.
 *
 * @packageDocumentation
 */
export { bulk } from './bulk.ts';
export type { BulkOptions, BulkProgress } from './bulk.ts';
export type { RequestInput } from './checked-request.ts';
export { createHrClient } from './hr-client.ts';
export type {
  Absence,
  AbsenceChange,
  Changes,
  ForAll,
  ForChanges,
  HrClient,
  Person,
  PersonChange,
  SalaryHistoryEntry,
  TimeBookingPerson,
  TimeBookingPersonChange,
  VariablePayment,
  VariablePaymentDecision,
  VariablePaymentSubmission,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from './hr-client.ts';
export type {
  Address,
  BankDetails,
  ChangeKind,
  CustomField,
  Employment,
  Group,
  LegalEntity,
  OperationId,
  PersonPatch,
  RequestAddress,
  RequestBankDetails,
  SalaryValue,
  TimeBooking,
  TimeBookingDay,
  TimeBookingDayDelta as TimeBookingDayChange,
  WorkingHours,
} from '@hr/schemas/checks';
export type { HrClientEvent, HrClientStep } from './hr-client-event.ts';
export type { CallOptions, HrClientOptions, RetryOptions } from './hr-client-options.ts';
export { HrError, isHrError } from './hr-error.ts';
export type { HrErrorCode, HrErrorInit } from './hr-error.ts';
export type { HrList } from './hr-list.ts';
export type { HrProblem, HrProblemError } from './hr-problem.ts';
export type { HrPromise, HrResponse, WithResponse } from './hr-promise.ts';
export type { Outcome } from './outcome.ts';
export { paymentIssues } from './payment-issues.ts';
export type { AccessToken, TokenFunction, TokenProvider } from './token-provider.ts';
export { tracingChannels } from './tracing.ts';
export type { HrCallTrace, HrRequestTrace } from './tracing.ts';
export type { AppInfo } from './user-agent.ts';
