import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { HrTestingError } from '../hr-testing-error.ts';

/**
 * The location of the core of `@pact-foundation/pact`. The kit does not use the JavaScript around the core, which
 * truncates form bodies, ignores errors of state handlers, and uses the proxies of the environment.
 *
 * @throws {HrTestingError} `missing-package`
 */
export function pactCoreUrl(): string {
  try {
    const pact = createRequire(import.meta.url).resolve('@pact-foundation/pact');
    return pathToFileURL(createRequire(pact).resolve('@pact-foundation/pact-core')).href;
  } catch (error) {
    const message = '@pact-foundation/pact is missing. Install it: npm install --save-dev @pact-foundation/pact';
    throw new HrTestingError('missing-package', message, { cause: error });
  }
}
