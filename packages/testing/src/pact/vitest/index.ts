export { contractFiles } from './contract-reporter.ts';
// oxlint-disable-next-line import/no-default-export -- vitest loads a reporter by the name of its module
export { ContractReporter as default } from './contract-reporter.ts';
