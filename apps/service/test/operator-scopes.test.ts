import { beforeAll, describe, expect, test } from 'vitest';
import type { ClientCredentials } from '../src/clients/clients.ts';
import type { Scope } from '../src/http/grant.ts';
import type { RotatedClient } from '../src/clients/client-secrets.ts';
import { operatorOperations, type OperatorOperationId } from '../src/routes.ts';
import { anyDriver } from './drivers.ts';
import { askToken, newToken, takes } from './oauth-form.ts';
import { sharedService, type Answer } from './service.ts';

const clients = '/operator/v1/clients';
const ids = Object.keys(operatorOperations) as OperatorOperationId[];
/** What each scope allows: the ids without the word `operator` before them. */
const allowed: readonly (readonly [Scope, string])[] = [
  ['api:use', ''],
  ['operator', ids.map((id) => id.replace(/^operator/, '')).join(' ')],
  [
    'operator:read',
    'ListVariablePayments CountVariablePayments ListClients ListCustomFields GetCustomFields ' +
      'ListImports GetImport ListAuditEvents ListAuditBlocks GetAuditHead VerifyAudit ListClientActivity ' +
      'ListWebhookEndpoints GetChanges',
  ],
  ['operator:feed', 'ImportFeed ListImports GetImport CancelImport'],
  ['operator:payments', 'ListVariablePayments CountVariablePayments ApproveVariablePayment RejectVariablePayment'],
  ['operator:audit', 'RecordReads'],
  [
    'operator:clients',
    'ListClients CreateClient GrantClient DisableClient EnableClient RotateSecret SetClientKeys ListCustomFields GetCustomFields ' +
      'AllowCustomFields DenyCustomFields ' +
      'ListWebhookEndpoints PauseWebhookEndpoint ResumeWebhookEndpoint RemoveWebhookEndpoint',
  ],
];

describe.each(anyDriver)('the scopes of operators on %s', (driver) => {
  const service = sharedService(driver);

  test.each(allowed)('%s allows exactly its operations', async (scope, operations) => {
    const may = await Promise.all(
      ids.map(async (id) => {
        const { method, path } = operatorOperations[id];
        // Nothing has this id.
        const { status } = await service.send(method, path.replace(/\{\w+\}/, '1'), { scope });
        return status === 403 ? [] : [id.replace(/^operator/, '')];
      }),
    );
    expect(may.flat().join(' ')).toBe(operations);
    const { status } = await service.send('GET', '/api/v1/persons', { scope });
    expect(status).toBe(scope === 'api:use' ? 200 : 403);
  });

  test('a refusal names the narrowest scope that is enough', async () => {
    const { headers, body } = await service.send('GET', clients, { scope: 'operator:payments' });
    expect(headers.get('www-authenticate')).toBe(
      'Bearer realm="hr-cloud", error="insufficient_scope", scope="operator:clients"',
    );
    expect(body).toMatchObject({
      detail: 'This needs an access token of the scope operator:clients or operator:read or operator.',
    });
  });

  test.each<[client: Scope, requested: string, granted: boolean]>([
    ['operator', 'operator', true],
    ['operator', 'operator:payments', true],
    ['operator', 'operator:everything', false],
    ['operator', 'operator:read operator:payments', false],
    ['operator', 'api:use', false],
    ['operator:read', 'operator:read', true],
    ['operator:read', 'operator', false],
    ['operator:read', 'operator:payments', false],
    ['api:use', 'operator:read', false],
  ])('a client with %s that requests %s: %s', async (scope, requested, granted) => {
    const client = await service.client(scope);
    const { status, body } = await askToken(service, { ...client, scope: requested as Scope });
    expect([status, body]).toMatchObject(granted ? [200, { scope: requested }] : [400, { error: 'invalid_scope' }]);
    if (!granted) return;
    const headers = { authorization: `Bearer ${String(body['access_token'])}` };
    const decision = await service.send('POST', '/operator/v1/variable-payments/1/approve', { headers });
    expect(decision.status).toBe(requested === 'operator:read' ? 403 : 404);
  });

  describe.each<[string, Scope]>([
    ['a client with operator:clients', 'operator:clients'],
    ['a token with operator:clients of an operator', 'operator'],
  ])('%s', (_, scope) => {
    let self: ClientCredentials;
    let manage: (path: string, body?: object) => Promise<Answer>;

    beforeAll(async () => {
      self = await service.client(scope);
      const token = await newToken(service, { ...self, scope: 'operator:clients' });
      manage = (path, body) =>
        service.send('POST', clients + path, { headers: { authorization: `Bearer ${token}` }, body });
    });

    const detail =
      'The scope operator:clients creates, enables and grants only clients with the scope api:use, and changes ' +
      'secrets and keys only of those. Use a token with the scope operator.';
    const refused = { status: 403, body: { detail } };

    test('manages clients of the API', async () => {
      const client = (await manage('', { name: 'x', scope: 'api:use' })).body as ClientCredentials;
      const { clientSecret } = (await manage(`/${client.clientId}/rotate`)).body as RotatedClient;
      expect((await manage(`/${client.clientId}/disable`)).status).toBe(200);
      expect((await manage(`/${client.clientId}/enable`)).status).toBe(200);
      expect(await takes(service, await newToken(service, { ...client, clientSecret }))).toBe(true);
    });

    test.each<Scope>(['operator', 'operator:read', 'operator:payments', 'operator:clients', 'operator:feed'])(
      'gains nothing by a client with %s',
      async (other) => {
        const client = await service.client(other);
        const stored = (): Promise<unknown[]> =>
          service.database.query(
            'select client_id, jwks_url, secret_hash, expires_at from api_client left join client_secret using (client_id) order by 1, 2',
          );
        const before = await stored();
        expect(await manage('', { name: 'x', scope: other })).toMatchObject(refused);
        expect(await manage(`/${client.clientId}/rotate`)).toMatchObject(refused);
        expect(await manage(`/${client.clientId}/grants`, { actsForPeople: true })).toMatchObject(refused);
        expect(await manage(`/${client.clientId}/rotate`, { retire: true })).toMatchObject(refused);
        expect(await manage(`/${client.clientId}/keys`, { none: true })).toMatchObject(refused);
        const jwksUrl = 'https://keys.example.com';
        expect(await manage(`/${client.clientId}/keys`, { jwksUrl })).toMatchObject(refused);
        expect(await manage('', { name: 'x', scope: other, jwksUrl })).toMatchObject(refused);
        expect(await stored()).toEqual(before);

        expect((await manage(`/${client.clientId}/disable`)).status).toBe(200);
        expect(await manage(`/${client.clientId}/enable`)).toMatchObject(refused);
        expect((await askToken(service, client)).status).toBe(401);
      },
    );

    test('does not rotate or disable itself', async () => {
      expect((await manage(`/${self.clientId}/rotate`)).status).toBe(403);
      expect((await manage(`/${self.clientId}/disable`)).status).toBe(403);
      expect((await askToken(service, self)).status).toBe(200);
    });
  });
});
