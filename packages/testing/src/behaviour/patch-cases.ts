import type { ProviderState } from '../states/provider-states.ts';
import {
  decided,
  having,
  notFound,
  ok,
  problem,
  when,
  type Case,
  type Cases,
  type CaseRequest,
} from './behaviour-case.ts';
import { changed, contract } from './given.ts';

const address = { street: 'Hauptstr.', city: 'Ulm' };
const person: ProviderState = ['a person', { id: '4711', address, bankDetails: null }];
const persons = 'GET /api/v1/persons';

export function patch(body: unknown, id = '4711'): CaseRequest {
  return [`PATCH /api/v1/persons/${id}`, { body }];
}

const box = { postOfficeBox: '12 34', zipCode: '89073', city: 'Ulm', country: 'DE' };
const home = { street: 'Münsterplatz', houseNumber: '1', city: 'Ulm' };
const homeInAnotherOrder = { city: 'Ulm', houseNumber: '1', street: 'Münsterplatz' };
const bank = { iban: 'DE00X' };
const SMILE = '😀';
const unknownBank = { iban: 'DE00X', bic: 'AAAADEFF', payee: SMILE.repeat(70) };

/** The list has the person with these fields after a patch. */
function stores(body: unknown, fields: object): Case {
  return when([person, contract], ok([having({ id: '4711', ...fields })]), patch(body), persons);
}

function storesAddress(stored: object): Case {
  return stores({ addresses: [stored] }, { address: stored });
}

/** The list of changes after a patch: one person, or none. */
function reports(body: unknown, delta?: unknown): Case {
  const given = [person, contract, changed(['time'])];
  return when(given, ok(delta === undefined ? [] : [delta]), patch(body), `${persons}?changedSince=2026-03-03`);
}

function responds(body: unknown, fields: object): Case {
  return when([person, contract], ok(having({ id: '4711', ...fields })), patch(body));
}

function rejects(body: unknown, ...faults: readonly string[]): Case {
  return when([person], problem('invalid-request', ...faults), patch(body));
}

/** Changes of a person (section 4.1). */
export const patchCases: Cases = {
  'a patch replaces all addresses, and the first is the default': stores({ addresses: [home, box] }, { address: home }),
  'a patch stores a post-office box': storesAddress(box),
  'a patch stores an empty street beside a post-office box': storesAddress({ ...box, street: '', houseNumber: '' }),
  'a patch stores an address neither trimmed nor split': storesAddress({ street: ' Hauptstr. 5a ', city: '' }),
  'a patch stores bank details that no bank knows': stores({ bankDetails: unknownBank }, { bankDetails: unknownBank }),
  'a patch with an empty list clears the addresses': stores({ addresses: [] }, { address: undefined }),
  'a patch of addresses keeps the bank details': when(
    [['a person', { id: '4711', bankDetails: bank }]],
    ok([having({ bankDetails: bank, address: undefined })]),
    patch({ addresses: [] }),
    persons,
  ),
  'a list of changes has the patched address': reports({ addresses: [box] }, having({ id: '4711', address: box })),
  'a patch of an id with encoded characters is accepted': when(
    [['a person', { id: 'ä/1 %2F?' }]],
    { status: 200 },
    patch({}, encodeURIComponent('ä/1 %2F?')),
  ),
  ...decided({
    'a list of changes has no data of payroll and time after a patch of addresses': reports(
      { addresses: [box] },
      having({ id: '4711', bankDetails: undefined, employments: undefined, keyNumber: undefined }),
    ),
    'a list of changes has only data of payroll after a patch of bank details': reports(
      { bankDetails: bank },
      { id: '4711', bankDetails: bank, employments: [having({ payrollContractId: '1-77' })] },
    ),
    'a patch without fields responds with the whole person': responds({}, { address }),
    'a patch responds with what it stores': responds(
      { addresses: [home, box], bankDetails: unknownBank },
      { address: home, bankDetails: unknownBank },
    ),
    'a patch with empty bank details stores them': stores({ bankDetails: {} }, { bankDetails: {} }),
    'a patch without fields is no change': reports({}),
    'a list of changes has a cleared address': reports({ addresses: [] }, having({ id: '4711', address: null })),
    'a rejected patch changes nothing': reports({ bankDetails: bank, addresses: null }),
    'a patch to the stored values is accepted': when(
      [person],
      ok(having({ address: home })),
      patch({ addresses: [home] }),
      patch({ addresses: [homeInAnotherOrder] }),
    ),
    'a patch to the imported values is no change': reports({ addresses: [address] }),
    'a patch of an unknown person is rejected': notFound([], patch({}, 'nobody')),
    'a patch of an erased person is rejected': notFound([['an erased person', { id: '4711' }]], patch({})),
    'a plus in an id is no space': notFound([['a person', { id: 'a b' }]], patch({}, 'a+b')),
    'an id can have 255 code points': notFound([], patch({}, encodeURIComponent(SMILE.repeat(255)))),
    'a patch of an address to null is rejected': rejects({ addresses: [home, null] }, '/addresses/1 wrong-type'),
    'a patch of __proto__ is rejected': rejects('{"__proto__":{"x":1}}', '/__proto__ unknown-name'),
    'a former name is rejected': rejects({ addresses: [{ postalCode: '1' }] }, '/addresses/0/postalCode former-name'),
    'a patch with a street beside a post-office box is rejected': rejects(
      { addresses: [home, { ...box, street: 'x', houseNumber: 'y' }] },
      '/addresses/1/street rule',
      '/addresses/1/houseNumber rule',
    ),
    'a rejected patch reports all faults': rejects(
      { bankDetails: { iban: 1, shoe: 1 }, addresses: [{ zipCode: '12345678901' }], x: 1 },
      '/addresses/0/zipCode too-long',
      '/bankDetails/iban wrong-type',
      '/bankDetails/shoe unknown-name',
      '/x unknown-name',
    ),
    'a patch without a body is rejected': when([], { status: 400 }, [
      'PATCH /api/v1/persons/4711',
      { headers: { 'content-type': 'application/json' } },
    ]),
  }),
};
