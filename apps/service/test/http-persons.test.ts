import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { lockPersons } from '../src/persons/person-view.ts';
import { drivers } from './drivers.ts';
import { dateAllChanges } from './feed.ts';
import { load, startService } from './service.ts';
import type { TestService } from './service.ts';

const ada = {
  id: 'p-1',
  firstName: 'Ada',
  middleName: 'Maria',
  lastName: 'König',
  gender: 'FEMALE',
  status: 'ACTIVE',
  jobTitle: 'Lohnbuchhalterin 😀',
  address: { street: 'Straße des 17. Juni', houseNumber: '135', zipCode: '10623', city: 'Berlin', country: 'DE' },
  legalEntity: { id: 'GmbH' },
  groups: [{ id: 'g-1', type: 'COMPANY' }],
};
const iban = { iban: 'DE02120300000000202051', bic: 'BYLADEM1001' };
const feed = [
  { kind: 'person', ...ada },
  { kind: 'person', id: 'p-10', lastName: 'Zehn' },
  { kind: 'person', id: 'P-2', lastName: 'Zwei' },
  { kind: 'person', id: 'ä/ 50%', lastName: 'Umlaut' },
  { kind: 'mapping', personId: 'p-1', payrollContractId: 'c-2' },
  { kind: 'mapping', personId: 'p-1', payrollContractId: 'c-1' },
  { kind: 'mapping', personId: 'p-1', payrollContractId: 'c-0-unknown' },
  { kind: 'employment', payrollContractId: 'c-1', start: '2024-01-01', fullTime: true, masterCostCenter: 'K1' },
  { kind: 'employment', payrollContractId: 'c-2', start: '2020-01-01', workingHours: { weekly: 38.5 } },
  { kind: 'employment', payrollContractId: 'c-3-unmapped', start: '2020-01-01' },
  { kind: 'bankDetails', personId: 'p-1', ...iban },
  { kind: 'keyNumber', personId: 'p-1', keyNumber: '0077' },
];
const master = {
  firstName: 'Ada Maria',
  middleName: '',
  lastName: 'König',
  gender: 'FEMALE',
  status: 'ACTIVE',
  jobTitle: 'Lohnbuchhalterin 😀',
  address: ada.address,
  legalEntity: { id: 'GmbH' },
  groups: [{ id: 'g-1', type: 'COMPANY' }],
  customFields: [],
  payrollContractIds: ['c-0-unknown', 'c-1', 'c-2'],
};
const payroll = {
  bankDetails: iban,
  employments: [
    { payrollContractId: 'c-2', start: '2020-01-01', workingHours: { weekly: 38.5 } },
    { payrollContractId: 'c-1', start: '2024-01-01', fullTime: true },
  ],
};
const time = { keyNumber: '0077' };
const whole = { id: 'p-1', ...master, ...payroll, ...time };
const empty = { middleName: '', groups: [], customFields: [], payrollContractIds: [], employments: [] };

describe.each(drivers)('persons on %s', (driver) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService(driver);
    await load(service.database, feed);
  });
  afterAll(() => service.stop());

  const changedAt = (moment: string): Promise<void> => dateAllChanges(service.database, moment);

  const patch = (body: object): Promise<unknown> => service.send('PATCH', '/api/v1/persons/p-1', { body });
  const list = async (query = ''): Promise<unknown> => (await service.send('GET', `/api/v1/persons${query}`)).body;

  test('all persons are listed whole, by code points of their ids', async () => {
    expect(await list()).toEqual([
      { id: 'P-2', lastName: 'Zwei', ...empty },
      whole,
      { id: 'p-10', lastName: 'Zehn', ...empty },
      { id: 'ä/ 50%', lastName: 'Umlaut', ...empty },
    ]);
  });

  describe('changes since a date', () => {
    beforeEach(() => changedAt('2026-03-10T12:00:00Z'));

    test.each([
      ['2026-03-10', 4],
      ['2026-03-11', 0],
      ['0001-01-01', 4],
      ['9999-12-31', 0],
    ])('%s gives %i', async (changedSince, count) => {
      expect(await list(`?changedSince=${changedSince}`)).toHaveLength(count);
    });

    test('the day begins at midnight of the configured zone', async () => {
      await changedAt('2026-03-09T23:00:00Z');
      expect(await list('?changedSince=2026-03-10')).toHaveLength(4);
      await changedAt('2026-03-09T22:59:59Z');
      expect(await list('?changedSince=2026-03-10')).toHaveLength(0);
    });

    test('an element has all fields of the systems that changed, null without a value, and no others', async () => {
      await load(service.database, [{ kind: 'keyNumber', personId: 'p-10', keyNumber: '1' }]);
      await load(service.database, [{ kind: 'deleteKeyNumber', personId: 'p-10' }]);
      expect(await list('?changedSince=2026-03-11')).toEqual([{ id: 'p-10', keyNumber: null }]);
      await load(service.database, [{ kind: 'person', ...ada, lastName: 'Königin' }]);
      await load(service.database, [{ kind: 'person', ...ada }]);
      const [element] = (await list('?changedSince=2026-03-11')) as Record<string, unknown>[];
      expect(element).toMatchObject({ id: 'p-1', ...master, citizenship: null, managerId: null, businessEmail: null });
      expect(element).not.toHaveProperty('bankDetails');
      expect(element).not.toHaveProperty('keyNumber');
    });

    test('a patch changes payroll by bank details and master by addresses, and only where they differ', async () => {
      await patch({ bankDetails: iban });
      await patch({});
      expect(await list('?changedSince=2026-03-11')).toEqual([]);
      await patch({ bankDetails: { iban: 'DE0212030' } });
      await patch({ bankDetails: iban });
      expect(await list('?changedSince=2026-03-11')).toEqual([{ id: 'p-1', ...payroll }]);
      await patch({ addresses: [ada.address] });
      expect(await list('?changedSince=2026-03-11')).toEqual([{ id: 'p-1', ...payroll }]);
    });
  });

  describe('a patch', () => {
    const street = { street: ' Hauptstr. 5a', city: 'Köln', zipCode: '50667', houseNumber: '' };
    const box = { postOfficeBox: '12 34', zipCode: '10623', street: '', country: 'DE' };

    test.each([
      ['nothing', {}, {}],
      ['bank details, whole', { bankDetails: { payee: 'Zoë' } }, { bankDetails: { payee: 'Zoë' } }],
      ['empty bank details', { bankDetails: {} }, { bankDetails: {} }],
      ['addresses, of which the first counts', { addresses: [street, box] }, { address: street }],
      ['a post-office box with an empty street', { addresses: [box] }, { address: box }],
      ['both', { addresses: [street], bankDetails: iban }, { address: street, bankDetails: iban }],
    ])('of %s is answered with the whole person', async (_, body, changed) => {
      const { status, body: answer } = await service.send('PATCH', '/api/v1/persons/P-2', { body });
      expect(status).toBe(200);
      expect(answer).toMatchObject({ id: 'P-2', lastName: 'Zwei', ...empty });
      for (const [field, value] of Object.entries(changed)) {
        // Exactly as sent: members neither added, left out nor moved.
        expect(JSON.stringify((answer as Record<string, unknown>)[field])).toBe(JSON.stringify(value));
      }
      expect(await list()).toContainEqual(answer);
    });

    test('of no addresses clears the address', async () => {
      const { body } = await service.send('PATCH', '/api/v1/persons/P-2', { body: { addresses: [] } });
      expect(body).not.toHaveProperty('address');
      expect(body).toMatchObject({ bankDetails: iban });
    });

    test('keeps the addresses behind the first', async () => {
      await service.send('PATCH', '/api/v1/persons/P-2', { body: { addresses: [street, box] } });
      const [row] = await service.database.query<{ document: string }>(
        `select document from person_patch where person_id = 'P-2' and property = 'addresses'`,
        [],
      );
      expect(JSON.parse(row?.document ?? '')).toEqual([street, box]);
    });

    test.each([
      ['null', null, '', 'wrong-type'],
      ['a list', [], '', 'wrong-type'],
      ['a null property', { addresses: null }, '/addresses', 'wrong-type'],
      ['null bank details', { bankDetails: null }, '/bankDetails', 'wrong-type'],
      ['an unknown property', { lastName: 'X' }, '/lastName', 'unknown-name'],
      ['a former name', { addresses: [{ postalCode: '1' }] }, '/addresses/0/postalCode', 'former-name'],
      ['a long zip code', { addresses: [{}, { zipCode: '12345678901' }] }, '/addresses/1/zipCode', 'too-long'],
      ['a short country', { addresses: [{ country: 'D' }] }, '/addresses/0/country', 'too-short'],
      ['a street and a box', { addresses: [{ postOfficeBox: '1', street: 'A' }] }, '/addresses/0/street', 'rule'],
      [
        'a number beside a box',
        { addresses: [{ postOfficeBox: '1', houseNumber: '1' }] },
        '/addresses/0/houseNumber',
        'rule',
      ],
      ['a wrong IBAN', { bankDetails: { iban: 'de02120300000000202051' } }, '/bankDetails/iban', 'wrong-format'],
      ['a wrong BIC', { bankDetails: { bic: 'BYLADEM100' } }, '/bankDetails/bic', 'wrong-format'],
      ['a lone surrogate', '{"bankDetails":{"payee":"\\ud800"}}', '/bankDetails/payee', 'wrong-format'],
      ['NUL', '{"bankDetails":{"payee":"a\\u0000b"}}', '/bankDetails/payee', 'wrong-format'],
      ['a property called __proto__', '{"__proto__":{"x":1}}', '/__proto__', 'unknown-name'],
    ])('with %s is refused', async (_, body, pointer, code) => {
      const before = await list();
      const refused = await service.send('PATCH', '/api/v1/persons/p-1', { body });
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer, code }] } });
      expect(await list()).toEqual(before);
    });

    test('that names a former field tells the present one', async () => {
      const { body } = await service.send('PATCH', '/api/v1/persons/p-1', {
        body: { addresses: [{ streetNumber: '1' }] },
      });
      expect(body).toMatchObject({ detail: expect.stringContaining('houseNumber') as string });
    });

    test.each([
      ['p-404', 404],
      ['', 404],
      ['a'.repeat(256), 400],
      [encodeURIComponent('😀'.repeat(256)), 400],
      [encodeURIComponent('😀'.repeat(255)), 404],
      ['a%00b', 400],
      ['%ff', 400],
      ['%', 400],
      ['\u00E4%2F+50%25', 404],
      ['%C3%A4%2F%2050%25', 200],
      ['%C3%A4%252F%2050%25', 404],
    ])('of person %s is %i', async (id, status) => {
      const answer = await service.send('PATCH', `/api/v1/persons/${id}`, { body: {} });
      expect(answer.status).toBe(status);
    });
  });

  test.runIf(driver === 'postgres')(
    'a person whom somebody holds for long is unavailable, and nobody else is',
    async () => {
      await service.database.transaction(async (transaction) => {
        await lockPersons(transaction, ['p-1']);
        expect(await service.send('PATCH', '/api/v1/persons/p-1', { body: { bankDetails: {} } })).toMatchObject({
          status: 503,
        });
        expect(await service.send('PATCH', '/api/v1/persons/p-10', { body: {} })).toMatchObject({ status: 200 });
      });
    },
  );
});
