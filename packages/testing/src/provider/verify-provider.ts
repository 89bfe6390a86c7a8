import { VerificationFailedError } from './verification-failed-error.ts';
import type { VerificationResult } from './verification-result.ts';
import type { VerifyOptions } from './verify-options.ts';

export async function verifyProvider({ provider }: VerifyOptions): Promise<VerificationResult> {
  const name = provider.name ?? 'hr-cloud';
  const fault = { place: 'verification', sentence: 'Nothing is verified yet.' };
  const result: VerificationResult = { ok: false, provider: name, interactions: [], faults: [fault] };
  return Promise.reject(new VerificationFailedError('Nothing is verified yet.', result));
}
