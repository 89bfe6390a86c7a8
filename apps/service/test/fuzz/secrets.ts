import { issueToken } from '../../src/clients/access-tokens.ts';
import { basic, inForm, newToken, sendForm } from '../oauth-form.ts';
import type { TestService } from '../service.ts';
import { OPERATORS } from './canaries.ts';

/**
 * Where a secret of the running service belongs. Requests are made of these names, so that the same seed makes the same
 * requests, and a report shows none.
 */
export const placeholders = {
  apiToken: '~api-token~',
  operatorToken: '~operator-token~',
  expiredToken: '~expired-token~',
  revokedToken: '~revoked-token~',
  disabledToken: '~token-of-a-disabled-client~',
  clientId: '~client-id~',
  clientSecret: '~client-secret~',
  basic: '~basic-credentials~',
  operatorId: '~operator-id~',
  operatorSecret: '~operator-secret~',
  spareToken: '~spare-token~',
  victimId: '~id-of-a-client-to-change~',
  importId: '~id-of-an-import~',
} as const;

type Placeholder = keyof typeof placeholders;

/** The secrets of a running service. */
export interface Secrets {
  /** Puts the secrets where their placeholders are. */
  readonly fill: (text: string) => string;
  /** Whether a text has a secret in it; ids of clients are none. */
  readonly leaks: (text: string) => boolean;
  /** Puts the placeholders where secrets are. */
  readonly hide: (text: string) => string;
}

const ids = new Set<Placeholder>(['clientId', 'operatorId', 'victimId', 'importId']);

/** Makes clients and tokens, one of every kind. */
export async function makeSecrets(service: TestService): Promise<Secrets> {
  const [client, operator, disabled, victim] = [
    await service.client(),
    await service.client('operator'),
    await service.client(),
    await service.client(),
  ];
  const { clientId } = client;
  const imports = await service.send('GET', '/operator/v1/imports', { scope: 'operator' });
  const [run] = imports.body as { id: string }[];
  // It runs for ever, so that it can be cancelled.
  await service.database.query("update import_run set state = 'running', ended_at = null, alive_at = 'infinity'");
  const values: Readonly<Record<Placeholder, string>> = {
    apiToken: await newToken(service, client),
    operatorToken: await newToken(service, operator),
    expiredToken: String(
      (await issueToken(service.database, { ...client, lifetimeSeconds: 0, requestId: 'r-1' }))?.token,
    ),
    revokedToken: await newToken(service, client),
    disabledToken: await newToken(service, disabled),
    clientId,
    clientSecret: client.clientSecret,
    basic: basic(clientId, client.clientSecret).authorization.slice('Basic '.length),
    operatorId: operator.clientId,
    operatorSecret: operator.clientSecret,
    spareToken: await newToken(service, client),
    victimId: victim.clientId,
    importId: run?.id ?? '',
  };
  await sendForm(service, 'revoke', { token: values.revokedToken, ...inForm(client) });
  await service.send('POST', `/operator/v1/clients/${disabled.clientId}/disable`, { scope: 'operator' });
  await service.send('POST', '/operator/v1/clients', {
    scope: 'operator',
    body: { name: OPERATORS, scope: 'api:use' },
  });
  const entries = Object.entries(values) as [Placeholder, string][];
  const kept = entries.flatMap(([name, value]) => (ids.has(name) ? [] : [value]));
  return {
    fill: (text) => entries.reduce((filled, [name, value]) => filled.replaceAll(placeholders[name], value), text),
    hide: (text) => entries.reduce((hidden, [name, value]) => hidden.replaceAll(value, placeholders[name]), text),
    leaks: (text) => kept.some((value) => text.includes(value)),
  };
}
