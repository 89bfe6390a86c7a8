export { createFakeHrCloud } from '../fake/fake-hr-cloud.ts';
export type { FakeHrCloud, FakeHrCloudOptions } from '../fake/fake-hr-cloud.ts';
export { hrCloudHandlers } from './hr-cloud-handlers.ts';
export type { HrCloudHandlersOptions } from './hr-cloud-handlers.ts';
