import { staticToken } from '@hr/auth';
import { consumer } from '@hr/testing/pact';
import { createHrClient } from '../../src/index.ts';
import type { HrClient, HrClientOptions } from '../../src/index.ts';

/** What this package relies on of the HR cloud: the keys that its readers check, with values of the right type. */
export const contract = consumer({ name: 'hr-client' });

/** The real client, for the mock that a contract runs. It takes nothing that is not as the API says. */
export function clientFor(
  { baseUrl, token }: { readonly baseUrl: string; readonly token: string },
  options: Partial<HrClientOptions> = {},
): HrClient {
  return createHrClient({ baseUrl, auth: staticToken(token), onInvalid: 'throw', ...options });
}

/** All that a stream gives. */
export async function collected<Element>(stream: AsyncIterable<Element>): Promise<Element[]> {
  const elements: Element[] = [];
  for await (const element of stream) elements.push(element);
  return elements;
}
