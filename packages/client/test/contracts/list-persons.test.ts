import type { Given } from '@hr/testing/states';
import { expect, test } from 'vitest';
import { clientFor, contract } from './contract.ts';
import { contractId, customField, otherId, otherPerson, person, personId, postOfficeBox } from './records.ts';

const everything: Given = [
  ['a person', { id: personId, customFields: [customField] }],
  ['a contract', { payrollContractId: contractId, personId }],
  ['a person', { id: otherId, customFields: [customField] }],
  ['a contract', { payrollContractId: '1-78', personId: otherId }],
];

test('all persons', async () => {
  const example = [person, otherPerson] as const;
  await contract.interaction('listPersons', { given: everything, example }).run(async (cloud) => {
    await expect(clientFor(cloud).persons.list()).resolves.toEqual(example);
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
