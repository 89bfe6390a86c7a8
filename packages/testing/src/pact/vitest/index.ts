export { contractFiles } from './contract-files.ts';
// oxlint-disable-next-line import/no-default-export -- vitest takes a reporter by its module's name so
export { ContractReporter as default } from './contract-reporter.ts';
