import { runPactCli } from './run-pact-cli.ts';
import type { VerificationResult } from './verification-result.ts';
import { verify } from './verify.ts';
import type { PactFiles, VerifyOptions } from './verify-options.ts';

/**
 * A second opinion: the same as {@link verifyProvider}, by the verifier of Pact's command line, another build of Pact. It
 * takes pacts from files and folders.
 *
 * @throws {VerificationFailedError} its message is the report to read.
 * @throws {HrTestingError} `invalid-option`, `missing-package`.
 * @example
 * await verifyWithPactCli({ provider: { url: fake.url }, source: { folders: ['pacts'] }, states, token });
 */
export function verifyWithPactCli(
  options: VerifyOptions & { readonly source: PactFiles },
): Promise<VerificationResult> {
  return verify(options, runPactCli);
}
