import { clientCredentials } from '@hr/auth';
import { createHrClient, type HrClient, type HrClientOptions } from '@hr/client';
import type { TestService } from './service.ts';

/** Makes a program's client of the packages, with credentials of its own, which sends payments again by their keys. */
export async function newHrClient(service: TestService, options: Partial<HrClientOptions> = {}): Promise<HrClient> {
  const { baseUrl } = service;
  const auth = clientCredentials({ baseUrl, ...(await service.client()) });
  return createHrClient({ baseUrl, auth, idempotency: 'provider-supports', ...options });
}

/** Takes what the service asks for as a wait out of its answers: seconds, in tests that are not about it. */
export const fetchWithoutWaits: typeof fetch = async (url, init) => {
  const { body, status, headers } = await fetch(url, init);
  const { 'retry-after': _wait, ...others } = Object.fromEntries(headers);
  return new Response(body, { status, headers: others });
};
