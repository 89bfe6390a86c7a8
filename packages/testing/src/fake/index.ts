export { HrTestingError } from '../hr-testing-error.ts';
export type { HrTestingErrorCode } from '../hr-testing-error.ts';
export type { Failure, FailureOf, FailureStatus } from './failures.ts';
export type { ExpiryReason } from './changes.ts';
export { createFakeHrCloud } from './fake-hr-cloud.ts';
export type { FakeHrCloud, FakeHrCloudOptions } from './fake-hr-cloud.ts';
export type {
  AddedContract,
  AddedPayment,
  FakeContract,
  FakeData,
  FakePayments,
  FakeRecords,
  FakeTimeDay,
} from './records.ts';
export type { RecordedRequest } from './recorded-requests.ts';
export type { FakeOperation } from './routes.ts';
export { startFakeHrCloud } from './start-fake-hr-cloud.ts';
export type { RunningFakeHrCloud } from './start-fake-hr-cloud.ts';
export type { StoredPayment } from './store.ts';
