import { TokenError } from '@hr/schemas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClientCredentials } from '../src/clients/clients.ts';
import { anyDriver } from './drivers.ts';
import { basic, inForm, sendForm } from './oauth-form.ts';
import type { Fields } from './oauth-form.ts';
import { startService } from './service.ts';
import type { TestService } from './service.ts';

type Call = () => readonly [fields: Fields, headers?: Record<string, string>];

const endpoints = ['token', 'revoke', 'introspect'] as const;
const fields = { grant_type: 'client_credentials', token: 'x' };

function encoded(credentials: string | Buffer): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/** Each character as an escape. */
function escaped(value: string): string {
  return Buffer.from(value).toString('hex').replaceAll(/../g, '%$&');
}

describe.each(anyDriver)('the credentials of clients on %s', (driver) => {
  let service: TestService;
  let client: ClientCredentials;
  let other: ClientCredentials;
  let disabled: ClientCredentials;
  let id: string;
  let secret: string;

  beforeAll(async () => {
    service = await startService(driver);
    client = await service.client();
    other = await service.client();
    disabled = await service.client();
    await service.send('POST', `/operator/v1/clients/${disabled.clientId}/disable`, { scope: 'operator' });
    ({ clientId: id, clientSecret: secret } = client);
  });
  afterAll(() => service.stop());

  const form = (difference: Partial<ClientCredentials> = {}): Record<string, string> => ({
    ...fields,
    ...inForm({ ...client, ...difference }),
  });
  const more = (...pairs: [string, string][]): [string, string][] => [...Object.entries(form()), ...pairs];

  describe.each(endpoints)('to %s', (endpoint) => {
    test.each<[string, Call]>([
      ['in the form', () => [form()]],
      ['by Basic', () => [fields, basic(id, secret)]],
      ['by Basic that encodes more than it must', () => [fields, encoded([id, secret].map(escaped).join(':'))]],
      ['by Basic that encodes nothing', () => [fields, encoded(`${id}:${secret}`)]],
      [
        'by Basic in small letters',
        () => [fields, { authorization: basic(id, secret).authorization.replace('B', 'b') }],
      ],
    ])('are taken %s', async (_, call) => {
      const { status, headers } = await sendForm(service, endpoint, ...call());
      expect(status).toBe(200);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'no-store',
        pragma: 'no-cache',
      });
    });

    test.each<[TokenError['error'], string, Call]>([
      ['invalid_request', 'nothing', () => ['']],
      ['invalid_request', 'JSON', () => ['{}', { 'content-type': 'application/json' }]],
      ['invalid_request', 'an id twice', () => [more(['client_id', id])]],
      ['invalid_request', 'a token twice', () => [more(['token', 'y'])]],
      ['invalid_request', 'an empty hint twice', () => [more(['token_type_hint', ''], ['token_type_hint', ''])]],
      ['invalid_request', 'both ways', () => [form(), basic(id, secret)]],
      ['invalid_request', 'an id in the form and Basic', () => [{ ...fields, client_id: id }, basic(id, secret)]],
      ['invalid_client', 'none', () => [fields]],
      ['invalid_client', 'no secret', () => [form({ clientSecret: '' })]],
      ['invalid_client', 'no id', () => [form({ clientId: '' })]],
      ['invalid_client', 'the secret of another', () => [form({ clientSecret: other.clientSecret })]],
      ['invalid_client', 'the id of another', () => [form({ clientId: other.clientId })]],
      ['invalid_client', 'an unknown id', () => [form({ clientId: 'hr-0' })]],
      ['invalid_client', 'an id in capitals', () => [form({ clientId: id.toUpperCase() })]],
      ['invalid_client', 'NUL behind the id', () => [form({ clientId: `${id}\0` })]],
      ['invalid_client', 'NUL behind the secret', () => [form({ clientSecret: `${secret}\0` })]],
      ['invalid_client', 'those of a disabled client', () => [form(disabled)]],
      [
        'invalid_client',
        'those of a disabled client by Basic',
        () => [fields, basic(disabled.clientId, disabled.clientSecret)],
      ],
      ['invalid_client', 'the secret of another by Basic', () => [fields, basic(id, other.clientSecret)]],
      ['invalid_client', 'Basic that is not base64', () => [fields, { authorization: 'Basic ?' }]],
      ['invalid_client', 'Basic of nothing', () => [fields, { authorization: 'Basic' }]],
      ['invalid_client', 'Basic without a colon', () => [fields, encoded(id + secret)]],
      ['invalid_client', 'Basic that is not UTF-8', () => [fields, encoded(Buffer.from([0xff, 0x3a, 0xff]))]],
      ['invalid_client', 'Basic with a broken escape', () => [fields, encoded(`${id}%:${secret}`)]],
      ['invalid_client', 'Basic with a field behind the id', () => [fields, encoded(`${id}&x=y:${secret}`)]],
      ['invalid_client', 'Basic with an id behind the secret', () => [fields, encoded(`x:${secret}&id=${id}`)]],
      ['invalid_client', 'Basic that is encoded twice', () => [fields, basic(id.replace('-', '%2D'), secret)]],
      ['invalid_client', 'a bearer token', () => [fields, { authorization: `Bearer ${secret}` }]],
    ])('are answered %s: %s', async (error, _, call) => {
      const { status, headers, body } = await sendForm(service, endpoint, ...call());
      expect(status).toBe(error === 'invalid_client' ? 401 : 400);
      expect(Object.fromEntries(headers)).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
      expect(headers.get('www-authenticate')).toBe(error === 'invalid_client' ? 'Basic realm="hr-cloud"' : null);
      expect(TokenError.strict().parse(body)).toMatchObject({ error });
    });
  });
});
