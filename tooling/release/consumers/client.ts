import { createHrClient, isHrError } from '@hr/client';
import type { HrClientOptions } from '@hr/client';

/** Reads and changes persons with its own source of tokens. */
export async function program(baseUrl: string): Promise<string> {
  const hr = createHrClient({ baseUrl, auth: tokensOf(baseUrl) });
  let persons = 0;
  for await (const { id } of hr.persons.list()) persons += id ? 1 : 0;
  const [first] = await hr.persons.list();
  const addresses = [{ street: 'Lindenallee', houseNumber: '7', city: 'Berlin' }];
  const moved = await hr.persons.update(first?.id ?? '', { addresses });
  const error: unknown = await hr.persons.update('nobody', { addresses }).catch((reason: unknown) => reason);
  return [persons, moved?.address?.city, isHrError(error) && `${error.code} ${error.outcome}`].join(' ');
}

function tokensOf(baseUrl: string): HrClientOptions['auth'] {
  return {
    async getToken() {
      const form = {
        grant_type: 'client_credentials',
        client_id: 'demo',
        client_secret: 'demo-secret',
        scope: 'api:use',
      };
      const answer = await fetch(`${baseUrl}/api/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) });
      const { access_token: value } = (await answer.json()) as { access_token: string };
      return { value, expiresAt: Date.now() + 60_000 };
    },
    invalidate() {},
  };
}
