import type { Given } from '@hr/testing/states';
import { expect, test } from 'vitest';
import { clientFor, collected, contract } from './contract.ts';
import { contractId, customField, person, personId, postOfficeBox } from './records.ts';

const everything: Given = [
  ['a person', { id: personId, customFields: [customField] }],
  ['a contract', { payrollContractId: contractId, personId }],
];

test('all persons', async () => {
  await contract.interaction('listPersons', { given: everything, example: [person] }).run(async (cloud) => {
    const hr = clientFor(cloud);
    await expect(hr.persons.list()).resolves.toEqual([person]);
    await expect(collected(hr.persons.list())).resolves.toEqual([person]);
  });
});

test('a person with a post-office box', async () => {
  const example = { id: personId, address: postOfficeBox };
  await contract
    .interaction('listPersons', {
      description: 'listPersons: 200 with a post-office box',
      given: ['a person', { id: personId, address: postOfficeBox }],
      example: [example],
    })
    .run(async (cloud) => {
      await expect(clientFor(cloud).persons.list()).resolves.toEqual([example]);
    });
});

test('no persons', async () => {
  await contract.interaction('listPersons', { example: [] }).run(async (cloud) => {
    await expect(clientFor(cloud).persons.list()).resolves.toEqual([]);
  });
});
