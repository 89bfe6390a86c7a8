import { expect } from 'vitest';
import type { Grants } from '@hr/schemas/provider';
import type { ClientCredentials } from '../src/clients/clients.ts';
import { newToken } from './oauth-form.ts';
import type { Answer, TestService } from './service.ts';

export type Person = { readonly id: string } & Readonly<Record<string, unknown>>;

/** A client of the API with grants and a token of its own. */
export interface Reader {
  readonly clientId: string;
  readonly token: string;
  readonly grants: Grants;
  /** The names of the custom fields that it sees. */
  readonly customFields: readonly string[];
  send(path: string, method?: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  persons(changedSince?: string): Promise<Person[]>;
}

/** Makes a client as operators do. */
export async function newReader(
  service: TestService,
  grants: Grants = {},
  customFields: readonly string[] = [],
): Promise<Reader> {
  const operate = async (path: string, body: object): Promise<unknown> => {
    const answer = await service.send('POST', `/operator/v1/clients${path}`, { scope: 'operator', body });
    expect(answer).toMatchObject({ status: 200 });
    return answer.body;
  };
  const credentials = (await operate('', { name: 'a reader', scope: 'api:use', ...grants })) as ClientCredentials;
  const { clientId } = credentials;
  if (customFields.length > 0) await operate(`/${clientId}/custom-fields/allow`, { names: customFields });
  const token = await newToken(service, credentials);
  const send: Reader['send'] = (path, method = 'GET', body, headers = {}) =>
    service.send(method, `/api/v1/${path}`, { headers: { authorization: `Bearer ${token}`, ...headers }, body });
  return {
    clientId,
    token,
    grants,
    customFields,
    send,
    async persons(changedSince) {
      const query = changedSince === undefined ? '' : `?changedSince=${changedSince}`;
      return (await send(`persons${query}`)).body as Person[];
    },
  };
}
