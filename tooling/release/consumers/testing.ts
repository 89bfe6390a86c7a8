import { startFakeHrCloud } from '@hr/testing/fake';
import { company, fixtures } from '@hr/testing/fixtures';
import { stateNames } from '@hr/testing/states';

/** Uses what does not need the optional peers. */
export async function program(): Promise<string> {
  const fake = await startFakeHrCloud({ persons: 3 });
  const headers = { authorization: 'Bearer contract-token' };
  const persons = (await (await fetch(`${fake.url}/api/v1/persons`, { headers })).json()) as object[];
  await fake.stop();
  const members = [...company({ persons: 2, months: 1 })];
  return [persons.length, members.length, fixtures().person.build().id !== '', stateNames.includes('a contract')].join(
    ' ',
  );
}
