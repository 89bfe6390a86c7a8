import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { HrTestingError } from '../hr-testing-error.ts';

/**
 * Where Pact's core is, the one that `@pact-foundation/pact` brings. It is used by itself: the JavaScript around it cuts
 * form bodies, passes by state handlers that throw, and takes the proxies of the environment.
 *
 * @throws {HrTestingError} `missing-package`
 */
export function pactCoreUrl(): string {
  try {
    const pact = createRequire(import.meta.url).resolve('@pact-foundation/pact');
    return pathToFileURL(createRequire(pact).resolve('@pact-foundation/pact-core')).href;
  } catch (error) {
    const remedy = 'Contracts need @pact-foundation/pact: npm install --save-dev @pact-foundation/pact';
    throw new HrTestingError('missing-package', remedy, { cause: error });
  }
}
