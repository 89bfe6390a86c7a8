import { createHrClient, isHrError } from '@hr/client';

/** Reads and changes persons with its own source of tokens. */
export async function program(baseUrl: string): Promise<string> {
  const hr = createHrClient({ baseUrl, auth: () => 'contract-token' });
  const persons = await hr.persons.list();
  const addresses = [{ street: 'Lindenallee', houseNumber: '7', city: 'Berlin' }];
  const moved = await hr.persons.update(persons[0]?.id ?? '', { addresses });
  const error: unknown = await hr.persons.update('nobody', { addresses }).catch((reason: unknown) => reason);
  return [persons.length, moved?.address?.city, isHrError(error) && `${error.code} ${error.outcome}`].join(' ');
}
