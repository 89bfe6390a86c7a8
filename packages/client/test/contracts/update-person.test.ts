import type { Person, PersonPatch } from '@hr/schemas';
import type { Example } from '@hr/testing/pact';
import { expect, test } from 'vitest';
import { clientFor, contract } from './contract.ts';
import { address, bankDetails, contractId, customField, person, personId, postOfficeBox } from './records.ts';

const id = personId;

test('bank details', async () => {
  const interaction = contract.interaction('updatePerson', {
    given: [
      ['a person', { id, customFields: [customField] }],
      ['a contract', { payrollContractId: contractId, personId }],
    ],
    request: { path: { id }, body: { bankDetails } },
    example: person,
  });
  await interaction.run(async (cloud) => {
    await expect(clientFor(cloud).persons.update(id, { bankDetails })).resolves.toEqual(person);
  });
});

const patches: Readonly<Record<string, { patch: PersonPatch; answer: Example<Person> }>> = {
  'an address with a street': { patch: { addresses: [address] }, answer: { address } },
  'an address with a post-office box': { patch: { addresses: [postOfficeBox] }, answer: { address: postOfficeBox } },
  'an address with an empty street beside its post-office box': {
    patch: { addresses: [{ street: '', ...postOfficeBox }] },
    answer: { address: { street: '', ...postOfficeBox } },
  },
  'both kinds of addresses': { patch: { addresses: [address, postOfficeBox] }, answer: { address } },
  'no addresses': { patch: { addresses: [] }, answer: {} },
  'addresses and bank details': { patch: { addresses: [address], bankDetails }, answer: { address, bankDetails } },
  nothing: { patch: {}, answer: {} },
};

test.each(Object.entries(patches))('%s', async (name, { patch, answer }) => {
  const interaction = contract.interaction('updatePerson', {
    description: `updatePerson: 200 to ${name}`,
    given: ['a person', { id }],
    request: { path: { id }, body: patch },
    example: { id, ...answer },
  });
  await interaction.run(async (cloud) => {
    await expect(clientFor(cloud).persons.update(id, patch)).resolves.toEqual({ id, ...answer });
  });
});
