import type { PersonDelta } from '@hr/schemas';
import type { System } from '@hr/schemas/rules';
import type { Example } from '@hr/testing/pact';
import type { ProviderState } from '@hr/testing/states';
import { expect, test } from 'vitest';
import { clientFor, contract } from './contract.ts';
import {
  bankDetails,
  contractId,
  customField,
  employment,
  masterData,
  otherId,
  personId,
  postOfficeBox,
} from './records.ts';

const changedSince = '2026-01-31';
const id = personId;
const aContract: ProviderState = ['a contract', { payrollContractId: contractId, personId }];

function changed(...systems: readonly System[]): ProviderState {
  return ['a person who changed', { id, systems: [...systems], since: changedSince }];
}

const changedOther: ProviderState = ['a person who changed', { id: otherId, systems: ['master'], since: changedSince }];

interface Change {
  readonly given: readonly ProviderState[];
  readonly delta: Example<PersonDelta>;
}

const changes: Readonly<Record<string, Change>> = {
  'of the master system': {
    given: [['a person', { id, customFields: [customField] }], changed('master')],
    delta: { id, ...masterData },
  },
  'of the payroll system': {
    given: [['a person', { id }], aContract, changed('payroll')],
    delta: { id, bankDetails, employments: [employment] },
  },
  'of the time system': {
    given: [['a person', { id }], changed('time')],
    delta: { id, keyNumber: '7000010' },
  },
  'of all systems': {
    given: [['a person', { id }], aContract, changed('master', 'payroll', 'time')],
    delta: { id, lastName: 'Kaya', bankDetails, employments: [employment], keyNumber: '7000010' },
  },
  'to a post-office box': {
    given: [['a person', { id, address: postOfficeBox }], changed('master')],
    delta: { id, address: postOfficeBox },
  },
  'that cleared what the master system knew': {
    given: [['a person', { id, ...cleared(masterData), groups: null, customFields: null }], changed('master')],
    delta: { id, ...cleared(masterData) },
  },
  'that cleared what the payroll system knew': {
    given: [['a person', { id, bankDetails: null }], changed('payroll')],
    delta: { id, bankDetails: null, employments: [] },
  },
  'that cleared what the time system knew': {
    given: [['a person', { id, keyNumber: null }], changed('time')],
    delta: { id, keyNumber: null },
  },
  'that deleted a person': {
    given: [['a deleted person', { id }]],
    delta: { id, deleted: true, lastName: null, address: null, bankDetails: null, employments: null, keyNumber: null },
  },
  'that erased a person': {
    given: [['an erased person', { id }]],
    delta: { id, erased: true, lastName: null, address: null, bankDetails: null, employments: null, keyNumber: null },
  },
};

/** Without a value each, apart from those that always have one: an empty list or an empty text. */
function cleared({
  middleName: _middleName,
  groups: _groups,
  customFields: _customFields,
  ...fields
}: typeof masterData) {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, null])) as Record<keyof typeof fields, null>;
}

test.each(Object.entries(changes))('a change %s', async (name, { given, delta }) => {
  const interaction = contract.interaction('listPersons', {
    description: `listPersons: 200 with a change ${name}`,
    given,
    request: { query: { changedSince } },
    example: [delta],
  });
  await interaction.run(async (cloud) => {
    await expect(clientFor(cloud).persons.list({ changedSince })).resolves.toEqual([delta]);
  });
});

test('changes of several persons', async () => {
  const deltas = [
    { id, jobTitle: 'Bäckerin' },
    { id: otherId, jobTitle: 'Müller' },
  ] as const;
  const interaction = contract.interaction('listPersons', {
    description: 'listPersons: 200 with changes of several persons',
    given: [['a person', { id }], changed('master'), ['a person', { id: otherId }], changedOther],
    request: { query: { changedSince } },
    example: deltas,
  });
  await interaction.run(async (cloud) => {
    await expect(clientFor(cloud).persons.list({ changedSince })).resolves.toEqual(deltas);
  });
});

test('no changes since the date', async () => {
  const interaction = contract.emptyList('listPersons', {
    given: ['a person who changed', { id, systems: ['master'], since: '2026-01-30' }],
    request: { query: { changedSince } },
  });
  await interaction.run(async (cloud) => {
    await expect(clientFor(cloud).persons.list({ changedSince })).resolves.toEqual([]);
  });
});
