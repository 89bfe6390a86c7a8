import { startFakeHrCloud } from '@hr/testing/fake';
import { company, fixtures } from '@hr/testing/fixtures';
import { stateNames } from '@hr/testing/states';

/** Asks the fake what it asks the service, as the optional peers are not there. */
export async function program(baseUrl: string): Promise<string> {
  const fake = await startFakeHrCloud({ persons: 3 });
  const unsigned = await Promise.all([baseUrl, fake.url].map((url) => fetch(`${url}/api/v1/persons`)));
  const headers = { authorization: 'Bearer contract-token' };
  const persons = (await (await fetch(`${fake.url}/api/v1/persons`, { headers })).json()) as object[];
  await fake.stop();
  const members = [...company({ persons: 2, months: 1 })];
  const states = stateNames.includes('a contract');
  return [
    ...unsigned.map(({ status }) => status),
    persons.length,
    members.length,
    fixtures().person.build().id !== '',
    states,
  ].join(' ');
}
