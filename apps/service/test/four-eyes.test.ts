import { beforeAll, describe, expect, test } from 'vitest';
import type { ClientCredentials } from '../src/clients/clients.ts';
import type { Scope } from '../src/http/grant.ts';
import type { RotatedClient } from '../src/clients/client-secrets.ts';
import { auditEvents } from './audited.ts';
import { anyDriver } from './drivers.ts';
import { newToken } from './oauth-form.ts';
import { run } from './command-line.ts';
import { contractRecords, sharedService, type Answer } from './service.ts';

describe.each(anyDriver)('four eyes on %s', (driver) => {
  const service = sharedService(driver, {}, contractRecords());
  /** Made by nobody, as those of the command line and of `service.client` are. */
  let chief: ClientCredentials;
  beforeAll(async () => {
    chief = await service.client('operator');
  });

  async function post(by: ClientCredentials, path: string, body?: object): Promise<Answer> {
    const headers = { authorization: `Bearer ${await newToken(service, by)}` };
    return service.send('POST', path, { headers, body });
  }
  async function manage<Managed = ClientCredentials>(by: ClientCredentials, path: string, body?: object) {
    const answer = await post(by, `/operator/v1/clients${path}`, body);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body as Managed;
  }
  const make = (by: ClientCredentials, scope: Scope = 'api:use') => manage(by, '', { name: 'x', scope });
  const rotate = async (by: ClientCredentials, client: ClientCredentials): Promise<ClientCredentials> => {
    const { clientSecret } = await manage<RotatedClient>(by, `/${client.clientId}/rotate`);
    return { ...client, clientSecret };
  };

  async function submit(by: ClientCredentials): Promise<string> {
    const path = '/api/v1/payrollContract/c-1/variable-payments?billingPeriod=2026-01';
    expect(await post(by, path, { compensationComponentId: 'BONUS', amount: 1 })).toMatchObject({ status: 200 });
    const [last] = await service.database.query<{ id: string }>('select max(id)::text as id from variable_payment');
    return last?.id ?? '';
  }
  /** The status of a decision, and the state of the payment after it. */
  async function decide(by: ClientCredentials, paymentId: string): Promise<(number | string | undefined)[]> {
    const { status } = await post(by, `/operator/v1/variable-payments/${paymentId}/approve`);
    const [payment] = await service.database.query<{ state: string }>(
      'select state from variable_payment where id = $1::bigint',
      [paymentId],
    );
    return [status, payment?.state];
  }
  const refused = [403, 'submitted'];
  const decided = [200, 'approved'];

  test('a client does not decide on payments of one that it made, and another one does', async () => {
    const paymentId = await submit(await make(chief));
    expect(await post(chief, `/operator/v1/variable-payments/${paymentId}/reject`)).toMatchObject({
      status: 403,
      body: {
        detail:
          'This client, or one that made it or rotated its secret, also made the client that submitted the payment or rotated its secret. Let another operator or the command line decide.',
      },
    });
    await expect
      .poll(() => auditEvents(service, { actor: chief.clientId, access: 'refused' }))
      .toMatchObject([{ operation: 'operatorRejectVariablePayment', status: 403, elements: 1 }]);
    expect(await decide(await service.client('operator'), paymentId)).toEqual(decided);
  });

  test('nor on payments of one whose secret it rotated, also afterwards and not as the last one', async () => {
    const client = await service.client();
    const paymentId = await submit(client);
    await rotate(chief, client);
    await rotate(await service.client('operator'), client);
    expect(await decide(chief, paymentId)).toEqual(refused);
  });

  test('a client that retires, disables and enables one of the command line knows no secret and decides', async () => {
    const client = await service.client();
    await manage(chief, `/${client.clientId}/rotate`, { retire: true });
    await manage(chief, `/${client.clientId}/disable`);
    await manage(chief, `/${client.clientId}/enable`);
    expect(await decide(chief, await submit(client))).toEqual(decided);
  });

  test.each<[string, (maker: ClientCredentials) => Promise<ClientCredentials>]>([
    ['that it made', (maker) => make(maker, 'operator:payments')],
    ['whose secret it rotated', async (maker) => rotate(maker, await service.client('operator:payments'))],
    ['that was made by one that it made', async (maker) => make(await make(maker, 'operator'), 'operator:payments')],
  ])('the maker of a client does not decide by another client %s', async (_, second) => {
    const maker = await service.client('operator');
    const paymentId = await submit(await make(maker));
    expect(await decide(await second(maker), paymentId)).toEqual(refused);
  });

  test('the maker of the maker of a client does not decide, circles end, and the command line decides', async () => {
    const first = await service.client('operator');
    const second = await make(first, 'operator');
    const rotatedFirst = await rotate(second, first);
    const paymentId = await submit(await make(second));
    expect(await decide(rotatedFirst, paymentId)).toEqual(refused);
    const { stdout } = await run(['payments', 'approve', paymentId, '--json'], { HR_DATABASE: service.databaseUrl });
    expect(JSON.parse(stdout)).toMatchObject({ state: 'approved', decidedBy: 'command line' });
    expect(await decide(rotatedFirst, paymentId)).toEqual([409, 'approved']);
  });
});
