import type { Plugin } from 'vitest/config';
import { ContractReporter } from './contract-reporter.ts';

/**
 * Makes the files of contracts from what tests run, and treats them as vitest treats snapshots: a whole run has to give
 * what the files say, new interactions are added except in CI, and `vitest run -u` writes all that differs. Nothing is
 * written where a test fails, or where a whole run has made an interaction and not run it. A run of some tests only
 * takes nothing away.
 *
 * @example
 * export default defineConfig({ plugins: [contractFiles()] });
 */
export function contractFiles(): Plugin {
  return {
    name: 'hr-contract-files',
    configureVitest({ vitest: { config } }) {
      // Each project of a workspace comes by.
      if (config.reporters.some((reporter) => reporter instanceof ContractReporter)) return;
      config.reporters.push(new ContractReporter());
    },
  };
}
