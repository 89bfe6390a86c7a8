import { describe, expect, test } from 'vitest';
import { lockPersons } from '../src/persons/person-view.ts';
import { drivers } from './drivers.ts';
import { sharedService } from './service.ts';

// What lists and patches answer is in test/behaviour.
describe.each(drivers)('a patch on %s', (driver) => {
  const service = sharedService(driver, {}, [
    { kind: 'person', id: 'p-1', lastName: 'Eins' },
    { kind: 'person', id: 'p-2', lastName: 'Zwei' },
  ]);

  const patch = (id: string, body: object) => service.send('PATCH', `/api/v1/persons/${id}`, { body });
  const street = { street: ' Hauptstr. 5a', city: 'Köln', zipCode: '50667', houseNumber: '' };
  const box = { postOfficeBox: '12 34', zipCode: '10623', street: '', country: 'DE' };

  test('is stored and answered exactly as sent: members neither added, left out nor moved', async () => {
    const bankDetails = { payee: 'Zoë', iban: 'DE02120300000000202051' };
    const { body } = await patch('p-2', { bankDetails, addresses: [street, box] });
    const answer = body as Record<string, unknown>;
    expect(JSON.stringify([answer['bankDetails'], answer['address']])).toBe(JSON.stringify([bankDetails, street]));
    expect((await service.send('GET', '/api/v1/persons')).body).toContainEqual(body);
    // The addresses behind the first are kept, too.
    const addresses = `select document from person_patch where person_id = 'p-2' and property = 'addresses'`;
    expect(await service.database.query(addresses)).toEqual([{ document: JSON.stringify([street, box]) }]);
  });

  test.runIf(driver === 'postgres')('of a person whom somebody holds for long is 503, and no other is', async () => {
    await service.database.transaction(async (transaction) => {
      await lockPersons(transaction, ['p-1']);
      expect((await patch('p-1', { bankDetails: {} })).status).toBe(503);
      expect((await patch('p-2', {})).status).toBe(200);
    });
  });
});
