export { createFakeHrCloud } from './create-fake-hr-cloud.ts';
export type { FakeHrCloud, FakeHrCloudOptions } from './fake-hr-cloud.ts';
export type { Decision } from './decide-payment.ts';
export type { Failure, FailureOf, FailureStatus } from './failures.ts';
export type { FakeOperation } from './routes.ts';
export type { RecordedRequest } from './recorded-requests.ts';
export { startFakeHrCloud } from './start-fake-hr-cloud.ts';
export type { RunningFakeHrCloud } from './start-fake-hr-cloud.ts';
export type { StoredPayment } from './store.ts';
