import { runPact } from './run-pact.ts';
import type { VerificationResult } from './verification-result.ts';
import { verify } from './verify.ts';
import type { VerifyOptions } from './verify-options.ts';

/**
 * Verifies that a provider, the service or the fake, holds what the contracts of its consumers say, with the verifier of
 * Pact. In a test it needs no further line: it throws where anything does not hold. Reports are written in any case.
 *
 * Nothing holds that was not tried: no pact at all, a pact of another provider, an unknown state, one without a handler or
 * whose handler throws, and an interaction that was left out are failures.
 *
 * @throws {VerificationFailedError} its message is the report to read.
 * @throws {HrTestingError} `invalid-option`, `missing-package`.
 * @example
 * await verifyProvider({
 *   provider: { url: fake.url },
 *   source: { folders: ['pacts'] },
 *   states: scenarioStates((scenario) => fake.load(scenario)),
 *   reset: () => fake.reset(),
 *   token: () => 'contract-token',
 *   report: { dir: 'reports' },
 * });
 */
export function verifyProvider(options: VerifyOptions): Promise<VerificationResult> {
  return verify(options, runPact);
}
