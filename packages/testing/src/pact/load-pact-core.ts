import type { makeConsumerPact } from '@pact-foundation/pact-core';
import { HrTestingError } from '../hr-testing-error.ts';

/** Pact's core, which reports nothing to its makers. */
export async function loadPactCore(): Promise<{ readonly makeConsumerPact: typeof makeConsumerPact }> {
  process.env['PACT_DO_NOT_TRACK'] = 'true';
  try {
    return await import('@pact-foundation/pact-core');
  } catch (error) {
    const remedy =
      'Consumer contracts need @pact-foundation/pact-core: npm install --save-dev @pact-foundation/pact-core';
    throw new HrTestingError('missing-package', remedy, { cause: error });
  }
}
