import type { ProviderState } from '@hr/testing/states';
import { expect } from 'vitest';
import type { Ask } from './ask.ts';
import { having, ok, problem } from './case.ts';
import type { Case, Cases } from './case.ts';

const person: ProviderState = [
  'a person',
  { id: '4711', address: { street: 'Hauptstr.', city: 'Ulm' }, bankDetails: null },
];
const contract: ProviderState = ['a contract', { payrollContractId: '1-77', personId: '4711' }];
const patch = (body: unknown, id = '4711'): Ask => [`PATCH /api/v1/persons/${id}`, { body }];
const box = { postOfficeBox: '12 34', zipCode: '89073', city: 'Ulm', country: 'DE' };
const home = { street: 'Münsterplatz', houseNumber: '1', city: 'Ulm' };

const silent: ProviderState = ['a person who changed', { id: '4711', systems: ['time'], since: '2026-03-02' }];
const changed: Ask = 'GET /api/v1/persons?changedSince=2026-03-03';

function takes(body: unknown, shown: object): Case {
  return { given: [person, contract], asks: [patch(body)], told: ok(having({ id: '4711', ...shown })) };
}

/** What a list of changes tells of it afterwards; of `undefined` nothing. */
function tells(asks: readonly Ask[], delta: object | undefined): Case {
  const told = ok(delta === undefined ? [] : [having({ id: '4711', ...delta })]);
  return { given: [person, contract, silent], asks: [...asks, changed] as unknown as Case['asks'], told };
}

function refuses(body: unknown, ...faults: readonly string[]): Case {
  return { given: [person], asks: [patch(body)], told: problem('invalid-request', ...faults) };
}

const SMILE = '😀';
const LONE = '\uD800';

/** Changes of a person (section 4.1). */
export const patchCases: Cases = {
  'of nothing answers the whole person': takes({}, { address: { street: 'Hauptstr.', city: 'Ulm' } }),
  'of nothing is no change': tells([patch({})], undefined),
  'replaces all addresses, and shows the first': takes({ addresses: [home, box] }, { address: home }),
  'stores a post-office box': takes({ addresses: [box] }, { address: box }),
  'stores an empty street beside a post-office box': takes(
    { addresses: [{ ...box, street: '', houseNumber: '' }] },
    { address: { ...box, street: '', houseNumber: '' } },
  ),
  'stores what is sent, neither trimmed nor split': takes(
    { addresses: [{ street: ' Hauptstr. 5a ', city: '' }] },
    { address: { street: ' Hauptstr. 5a ', city: '' } },
  ),
  'stores bank details that are empty': takes({ bankDetails: {} }, { bankDetails: {} }),
  'stores bank details that no bank knows': takes(
    { bankDetails: { iban: 'DE00X', bic: 'AAAADEFF', payee: SMILE.repeat(70) } },
    { bankDetails: { iban: 'DE00X', bic: 'AAAADEFF', payee: SMILE.repeat(70) } },
  ),
  'that clears the addresses is read back': {
    given: [person],
    asks: [patch({ addresses: [] }), 'GET /api/v1/persons'],
    told: ok([without('address')]),
  },
  'of addresses alone leaves the bank details': {
    given: [['a person', { id: '4711', bankDetails: { iban: 'DE00X' } }]],
    asks: [patch({ addresses: [] })],
    told: ok(having({ bankDetails: { iban: 'DE00X' } })),
  },
  'of addresses is told': tells([patch({ addresses: [box] })], { address: box }),
  'of addresses tells nothing of payroll and time': {
    ...tells([patch({ addresses: [box] })], {}),
    told: ok([without('bankDetails', 'employments', 'keyNumber')]),
  },
  'of bank details is a change of payroll alone': {
    given: [person, contract, silent],
    asks: [patch({ bankDetails: { iban: 'DE00X' } }), changed],
    told: ok([{ id: '4711', bankDetails: { iban: 'DE00X' }, employments: [having({ payrollContractId: '1-77' })] }]),
  },
  'that clears is told as null': tells([patch({ addresses: [] })], { address: null }),
  'to what the API has stored already is no change': {
    given: [person],
    asks: [
      patch({ addresses: [home] }),
      patch({ addresses: [{ city: 'Ulm', houseNumber: '1', street: 'Münsterplatz' }] }),
    ],
    told: ok(having({ address: home })),
  },
  'to what the feed has stored is no change': tells(
    [patch({ addresses: [{ street: 'Hauptstr.', city: 'Ulm' }] })],
    undefined,
  ),
  'of somebody unknown': { asks: [patch({}, 'nobody')], told: problem('not-found') },
  'of somebody who was erased': {
    given: [['an erased person', { id: '4711' }]],
    asks: [patch({})],
    told: problem('not-found'),
  },
  'of somebody whose id needs encoding': {
    given: [['a person', { id: 'ä/1 %2F?' }]],
    asks: [patch({}, encodeURIComponent('ä/1 %2F?'))],
    told: ok(having({ id: 'ä/1 %2F?' })),
  },
  'of an id that is too long': { asks: [patch({}, 'x'.repeat(256))], told: problem('invalid-request', '/id too-long') },
  'of an id of 255 code points': {
    asks: [patch({}, encodeURIComponent(SMILE.repeat(255)))],
    told: problem('not-found'),
  },
  'to null': refuses(null, ' wrong-type'),
  'to a list': refuses([], ' wrong-type'),
  'of addresses to null': refuses({ addresses: null }, '/addresses wrong-type'),
  'of an address to null': refuses({ addresses: [home, null] }, '/addresses/1 wrong-type'),
  'of a field to null': refuses({ addresses: [{ city: null }] }, '/addresses/0/city wrong-type'),
  'of bank details to null': refuses({ bankDetails: null }, '/bankDetails wrong-type'),
  'of something unknown': refuses({ lastName: 'Ek' }, '/lastName unknown-name'),
  'of the address that answers have': refuses({ address: home }, '/address unknown-name'),
  'by a former name': refuses({ addresses: [{ postalCode: '1' }] }, '/addresses/0/postalCode former-name'),
  'with a street beside a post-office box': refuses(
    { addresses: [home, { ...box, street: 'x', houseNumber: 'y' }] },
    '/addresses/1/street rule',
    '/addresses/1/houseNumber rule',
  ),
  'to what is too long, in code points': refuses(
    { bankDetails: { payee: SMILE.repeat(71) } },
    '/bankDetails/payee too-long',
  ),
  'to what is too short': refuses({ addresses: [{ country: 'D' }] }, '/addresses/0/country too-short'),
  'to an IBAN of the wrong form': refuses({ bankDetails: { iban: 'de00x' } }, '/bankDetails/iban wrong-format'),
  'to an IBAN that is too short': refuses({ bankDetails: { iban: 'DE00' } }, '/bankDetails/iban too-short'),
  'to half a character': refuses(
    `{"bankDetails":{"payee":"${JSON.stringify(LONE).slice(1, -1)}"}}`,
    '/bankDetails/payee wrong-format',
  ),
  'to NUL': refuses({ bankDetails: { payee: 'a\0b' } }, '/bankDetails/payee wrong-format'),
  'with several faults tells them all': refuses(
    { bankDetails: { iban: 1, shoe: 1 }, addresses: [{ zipCode: '12345678901' }], x: 1 },
    '/addresses/0/zipCode too-long',
    '/bankDetails/iban wrong-type',
    '/bankDetails/shoe unknown-name',
    '/x unknown-name',
  ),
  'that is no JSON': refuses('{', ' wrong-format'),
  'that names a member twice': refuses('{"addresses":[],"addresses":[]}', '/addresses rule'),
  'that is no UTF-8': refuses(Buffer.from([0x22, 0xff, 0x22]), ' wrong-format'),
  'with nothing': {
    asks: [['PATCH /api/v1/persons/4711', { headers: { 'content-type': 'application/json' } }]],
    told: { status: 400 },
  },
};

function without(...names: readonly string[]): unknown {
  return expect.toSatisfy((found: object) => !names.some((name) => name in found));
}
