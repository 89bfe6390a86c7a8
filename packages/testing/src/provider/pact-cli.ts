import { fileURLToPath } from 'node:url';
import { HrTestingError } from '../hr-testing-error.ts';

/**
 * Where the program of Pact's command line is; it is found through `node_modules`, not the `PATH`.
 *
 * @throws {HrTestingError} `missing-package`
 */
export function pactCliProgram(): string {
  try {
    return fileURLToPath(import.meta.resolve('@pact-foundation/pact-cli/bin/pact.js'));
  } catch (error) {
    const remedy =
      'A broker and the second opinion need @pact-foundation/pact-cli: npm install --save-dev @pact-foundation/pact-cli';
    throw new HrTestingError('missing-package', remedy, { cause: error });
  }
}
