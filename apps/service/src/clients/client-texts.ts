import type { ClientCredentials, ClientRecord } from './clients.ts';
import type { RetiredClient, RotatedClient } from './client-secrets.ts';
import type { OperatorResponse } from '../operator/operator-api.ts';
import { textTable } from '../commands/terminal.ts';

/** What the command line says of clients. */
export const clientTexts = { created, list, granted, disabled, enabled, rotated, retired, keyRotated };

function created({ clientId, clientSecret, scope }: ClientCredentials): string {
  const table = textTable([
    ['client id', clientId],
    ['client secret', clientSecret],
    ['scope', scope],
  ]);
  return `${table}Keep the secret now: nobody can show it again.\n`;
}

function list(clients: readonly ClientRecord[]): string {
  if (clients.length === 0) return 'There are no clients.\n';
  const rows = clients.map(({ clientId, scope, disabledAt, lastTokenAt, secrets, name, ...grants }) => [
    clientId,
    scope,
    scope === 'api:use' ? grantsText(grants) : '-',
    disabledAt === undefined ? 'enabled' : `disabled ${minute(disabledAt)}`,
    minute(lastTokenAt),
    secrets
      .map(({ createdAt, expiresAt }) => minute(createdAt) + (expiresAt ? ` until ${minute(expiresAt)}` : ''))
      .join(', '),
    name,
  ]);
  return textTable([['CLIENT ID', 'SCOPE', 'GRANTS', 'STATE', 'LAST TOKEN', 'SECRETS', 'NAME'], ...rows]);
}

function grantsText({ operations, systems, fields }: Pick<ClientRecord, 'operations' | 'systems' | 'fields'>): string {
  const lists = Object.entries({ operations, systems, fields }).flatMap(([kind, names]) =>
    names ? [`${kind} ${names.join(', ')}`] : [],
  );
  return lists.join('; ') || 'all';
}

function granted({ clientId, ...grants }: ClientRecord): string {
  return `Client ${clientId} may use and see: ${grantsText(grants)}. Its tokens follow within a second.\n`;
}

function disabled({ clientId }: ClientRecord): string {
  return `Client ${clientId} is disabled: its tokens end within a second, and it gets no new ones.\n`;
}

function enabled({ clientId }: ClientRecord): string {
  return `Client ${clientId} is enabled: it gets tokens. Those that disabling it ended stay ended.\n`;
}

function rotated(client: RotatedClient): string {
  const previous = client.secrets.find(({ expiresAt }) => expiresAt !== undefined);
  const lines = [
    `The previous secret is valid until ${minute(previous?.expiresAt)}; any older one ended now, with its tokens.`,
    `Once the client has the new one, end the previous one: clients rotate ${client.clientId} --retire`,
    ...(client.disabledAt === undefined ? [] : [`It is disabled: clients enable ${client.clientId}`]),
  ];
  return created(client) + lines.map((line) => `${line}\n`).join('');
}

function retired(client: RetiredClient): string {
  const [current] = client.secrets;
  const previous = client.retired
    ? 'The previous secret and its tokens ended now.'
    : 'There was no previous secret to end.';
  return `${previous} The only valid secret is that of ${minute(current?.createdAt)}.\n`;
}

function keyRotated({ id, issuesFrom }: OperatorResponse<'operatorAddCredentialKey'>): string {
  return `Key ${id} issues secrets and tokens from ${minute(issuesFrom)} on. To end older keys, then rotate the secrets from before.\n`;
}

/** A moment to the minute; `never` where there is none. */
function minute(moment: string | undefined): string {
  return moment === undefined ? 'never' : `${new Date(moment).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
