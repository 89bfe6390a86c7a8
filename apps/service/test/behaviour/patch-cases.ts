import type { ProviderState } from '@hr/testing/states';
import { expect } from 'vitest';
import type { Ask } from './ask.ts';
import { having, ok, problem, when, type Case, type Cases } from './case.ts';

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
  return when([person, contract], ok(having({ id: '4711', ...shown })), patch(body));
}

/** What a list of changes tells afterwards: one person, or nobody. */
function tells(body: unknown, delta: unknown): Case {
  return when([person, contract, silent], ok(delta === undefined ? [] : [delta]), patch(body), changed);
}

function refuses(body: unknown, ...faults: readonly string[]): Case {
  return when([person], problem('invalid-request', ...faults), patch(body));
}

function without(...names: readonly string[]): unknown {
  return expect.toSatisfy((found: object) => !names.some((name) => name in found));
}

const SMILE = '😀';
const empty = { ...box, street: '', houseNumber: '' };
const unsplit = { street: ' Hauptstr. 5a ', city: '' };
const odd = { iban: 'DE00X', bic: 'AAAADEFF', payee: SMILE.repeat(70) };
const homeInAnotherOrder = { city: 'Ulm', houseNumber: '1', street: 'Münsterplatz' };
const bank = { iban: 'DE00X' };

/** Changes of a person (section 4.1). */
export const patchCases: Cases = {
  'of nothing answers the whole person': takes({}, { address: { street: 'Hauptstr.', city: 'Ulm' } }),
  'of nothing is no change': tells({}, undefined),
  'replaces all addresses, and shows the first': takes({ addresses: [home, box] }, { address: home }),
  'stores a post-office box': takes({ addresses: [box] }, { address: box }),
  'stores an empty street beside a post-office box': takes({ addresses: [empty] }, { address: empty }),
  'stores what is sent, neither trimmed nor split': takes({ addresses: [unsplit] }, { address: unsplit }),
  'stores bank details that are empty': takes({ bankDetails: {} }, { bankDetails: {} }),
  'stores bank details that no bank knows': takes({ bankDetails: odd }, { bankDetails: odd }),
  'that clears the addresses is read back': when(
    [person],
    ok([without('address')]),
    patch({ addresses: [] }),
    'GET /api/v1/persons',
  ),
  'of addresses alone leaves the bank details': when(
    [['a person', { id: '4711', bankDetails: bank }]],
    ok(having({ bankDetails: bank })),
    patch({ addresses: [] }),
  ),
  'of addresses is told': tells({ addresses: [box] }, having({ id: '4711', address: box })),
  'of addresses tells nothing of payroll and time': tells(
    { addresses: [box] },
    without('bankDetails', 'employments', 'keyNumber'),
  ),
  'of bank details is a change of payroll alone': tells(
    { bankDetails: bank },
    { id: '4711', bankDetails: bank, employments: [having({ payrollContractId: '1-77' })] },
  ),
  'that clears is told as null': tells({ addresses: [] }, having({ id: '4711', address: null })),
  'that is refused changes nothing': tells({ bankDetails: bank, addresses: null }, undefined),
  'to what the API has stored already is no change': when(
    [person],
    ok(having({ address: home })),
    patch({ addresses: [home] }),
    patch({ addresses: [homeInAnotherOrder] }),
  ),
  'to what the feed has stored is no change': tells({ addresses: [{ street: 'Hauptstr.', city: 'Ulm' }] }, undefined),
  'of somebody unknown': when([], problem('not-found'), patch({}, 'nobody')),
  'of somebody who was erased': when([['an erased person', { id: '4711' }]], problem('not-found'), patch({})),
  'of somebody whose id needs encoding': when(
    [['a person', { id: 'ä/1 %2F?' }]],
    ok(having({ id: 'ä/1 %2F?' })),
    patch({}, encodeURIComponent('ä/1 %2F?')),
  ),
  'of an id with a plus, which is no space': when(
    [['a person', { id: 'a b' }]],
    problem('not-found'),
    patch({}, 'a+b'),
  ),
  'of an id of 255 code points': when([], problem('not-found'), patch({}, encodeURIComponent(SMILE.repeat(255)))),
  'of an address to null': refuses({ addresses: [home, null] }, '/addresses/1 wrong-type'),
  'of a member called __proto__': refuses('{"__proto__":{"x":1}}', '/__proto__ unknown-name'),
  'by a former name': refuses({ addresses: [{ postalCode: '1' }] }, '/addresses/0/postalCode former-name'),
  'with a street beside a post-office box': refuses(
    { addresses: [home, { ...box, street: 'x', houseNumber: 'y' }] },
    '/addresses/1/street rule',
    '/addresses/1/houseNumber rule',
  ),
  'with several faults tells them all': refuses(
    { bankDetails: { iban: 1, shoe: 1 }, addresses: [{ zipCode: '12345678901' }], x: 1 },
    '/addresses/0/zipCode too-long',
    '/bankDetails/iban wrong-type',
    '/bankDetails/shoe unknown-name',
    '/x unknown-name',
  ),
  'with nothing': when([], { status: 400 }, [
    'PATCH /api/v1/persons/4711',
    { headers: { 'content-type': 'application/json' } },
  ]),
};
