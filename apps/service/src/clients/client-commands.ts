import { readFileSync } from 'node:fs';
import { API_SCOPE } from '@hr/schemas';
import { InvalidArgumentError, Option } from 'commander';
import { printedMoment, textTable } from '../terminal/terminal.ts';
import type { OperatorResponse } from '../operator/operator-api.ts';
import { commandGroup, operatorCommand, table } from '../operator/operator-command.ts';
import type { ClientRecord } from './clients.ts';
import type { RetiredClient, RotatedClient } from './client-secrets.ts';
import { clientOperations } from './client-operations.ts';

const publicKeys = new Option('--public-key <file...>', 'files with public keys, each a JWK or a JWK set').argParser(
  (file, before: { readonly keys: readonly unknown[] } | undefined) => {
    try {
      const { keys: more, ...jwk } = JSON.parse(readFileSync(file, 'utf8')) as { readonly keys?: readonly unknown[] };
      return { keys: [...(before?.keys ?? []), ...(more ?? [jwk])] };
    } catch {
      throw new InvalidArgumentError('It cannot be read, or is not a JSON object.');
    }
  },
);
const options = { jwks: publicKeys };

/** `clients create|list|grant|disable|enable|rotate|keys|rotate-key`. */
export const commands = {
  clients: commandGroup({
    create: operatorCommand(clientOperations.operatorCreateClient, {
      defaults: { scope: API_SCOPE },
      options,
      text: credentials,
    }),
    list: operatorCommand(clientOperations.operatorListClients, {
      text: table('There are no clients.', {
        'CLIENT ID': 'clientId',
        SCOPE: 'scope',
        GRANTS: grants,
        STATE: ({ disabledAt }) => (disabledAt === undefined ? 'enabled' : `disabled ${minute(disabledAt)}`),
        'LAST TOKEN': ({ lastTokenAt }) => minute(lastTokenAt),
        SECRETS: ({ secrets }) =>
          secrets
            .map(({ createdAt, expiresAt }) => minute(createdAt) + (expiresAt ? ` until ${minute(expiresAt)}` : ''))
            .join(', '),
        KEYS: ({ keys = [], jwksUrl }) => jwksUrl ?? keys.map(({ kid }) => kid).join(', '),
        NAME: 'name',
      }),
    }),
    grant: operatorCommand(clientOperations.operatorGrantClient, {
      text: (client) => `Grants of client ${client.clientId}: ${grants(client)}. Its tokens follow within a second.\n`,
    }),
    'disable|revoke': operatorCommand(clientOperations.operatorDisableClient, {
      text: ({ clientId }) =>
        `Client ${clientId} is disabled: its tokens end within a second, and it gets no new ones.\n`,
    }),
    enable: operatorCommand(clientOperations.operatorEnableClient, {
      text: ({ clientId }) =>
        `Client ${clientId} is enabled: it gets tokens. Those that disabling it ended stay ended.\n`,
    }),
    rotate: operatorCommand(clientOperations.operatorRotateSecret, {
      text: (client) => ('retired' in client ? retired(client) : rotated(client)),
    }),
    keys: operatorCommand(clientOperations.operatorSetClientKeys, { options, text: keysSet }),
    'rotate-key': operatorCommand(clientOperations.operatorAddCredentialKey, {
      text: ({ id, issuesFrom }) =>
        `Key ${id} issues secrets and tokens from ${minute(issuesFrom)} on. To end older keys, then rotate the secrets from before.\n`,
    }),
  }),
};

function credentials({
  clientId,
  clientSecret,
  scope,
}: OperatorResponse<typeof clientOperations.operatorCreateClient>): string {
  if (clientSecret === undefined) {
    return `${textTable([
      ['client id', clientId],
      ['scope', scope],
    ])}It has no secret: its keys prove who it is.\n`;
  }
  const lines = [
    ['client id', clientId],
    ['client secret', clientSecret],
    ['scope', scope],
  ];
  return `${textTable(lines)}Store the secret now: it is not shown again.\n`;
}

function keysSet({ clientId, keys: list, jwksUrl, secrets }: ClientRecord): string {
  const source = jwksUrl ?? list?.map(({ kid, alg }) => `${kid} (${alg})`).join(', ');
  if (source !== undefined)
    return `Client ${clientId} has the keys ${source}. Others that it had ended now, with their tokens.\n`;
  const remedy = secrets.length > 0 ? 'it has only its secret' : `it gets no token until: clients rotate ${clientId}`;
  return `Client ${clientId} has no keys: ${remedy}.\n`;
}

function grants({ scope, operations, systems, fields, actsForPeople }: ClientRecord): string {
  const lists = Object.entries({ operations, systems, fields }).flatMap(([kind, names]) =>
    names ? [`${kind} ${names.join(', ')}`] : [],
  );
  const isForAll = scope === API_SCOPE && lists.length === 0;
  return [...(isForAll ? ['all'] : lists), ...(actsForPeople ? ['acts for people'] : [])].join('; ') || '-';
}

function rotated(client: RotatedClient): string {
  const previous = client.secrets.find(({ expiresAt }) => expiresAt !== undefined);
  return [
    `${credentials(client)}The previous secret is valid until ${minute(previous?.expiresAt)}; any older one ended now, with its tokens.`,
    `Once the client has the new one, end the previous one: clients rotate ${client.clientId} --retire`,
    ...(client.disabledAt === undefined ? [] : [`It is disabled: clients enable ${client.clientId}`]),
    '',
  ].join('\n');
}

function retired({ retired: isEnded, secrets: [current] }: RetiredClient): string {
  if (!current) return 'The secret and its tokens ended now. The client has only its keys.\n';
  const last = `The only valid secret is that of ${minute(current.createdAt)}.`;
  const previous = isEnded ? 'The previous secret and its tokens ended now.' : 'There was no previous secret to end.';
  return `${previous} ${last}\n`;
}

/** A moment to the minute; `never` where there is none. */
function minute(moment: string | undefined): string {
  return moment === undefined ? 'never' : `${printedMoment(new Date(moment).toISOString()).slice(0, -3)} UTC`;
}
