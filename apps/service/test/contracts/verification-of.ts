import { scenarioStates } from '@hr/testing/provider';
import type { VerifyOptions } from '@hr/testing/provider';
import type { ProviderUnderTest } from './provider-under-test.ts';

/** What a verification needs to know of a provider under test. */
export function verificationOf(
  provider: Pick<ProviderUnderTest, 'url' | 'load' | 'reset' | 'token' | 'tokenWithoutScope'>,
): Omit<VerifyOptions, 'source'> {
  const { url, load, reset, token, tokenWithoutScope } = provider;
  return { provider: { url }, states: scenarioStates(load), reset, token, tokenWithoutScope };
}
