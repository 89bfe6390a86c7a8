import { staticToken } from '@hr/auth';
import { consumer } from '@hr/testing/pact';
import { createHrClient, type HrClient, type HrClientOptions } from '../../src/index.ts';

/** The contract of this package: the fields that it checks. */
export const contract = consumer({ name: 'hr-client' });

/** The real client for a mock. It rejects all that the API does not say. */
export function clientFor(
  { baseUrl, token }: { readonly baseUrl: string; readonly token: string },
  options: Partial<HrClientOptions> = {},
): HrClient {
  return createHrClient({ baseUrl, auth: staticToken(token), onInvalid: 'throw', ...options });
}
