import { Identifier, operations, Person, text } from '@hr/schemas';
import { systems } from '@hr/schemas/rules';
import { z } from 'zod';
import { scopes } from '../http/grant.ts';
import { Moment, NoBody, OperatorText, YES_OR_NO } from '../operator/operator-models.ts';
import { list, post, type OperatorOperations } from '../operator/operator-operation.ts';
import { JwkSet } from './public-keys.ts';

const clientId = Identifier.describe('Id of the client.');

const ACTS_FOR_PEOPLE =
  'Whether it may say for whom it acts, and why, with the headers HR-Acting-Person and HR-Purpose.';

/** What a client may use and see of the API. */
const grants = {
  operations: grantList(keysOf(operations), 'Ids of the operations that it may use'),
  systems: grantList(systems, 'The systems whose data it may see and change'),
  fields: grantList(keysOf(Person.shape), 'The fields of persons that it may see and change beside `id`'),
};

function grantList<Name extends string>(names: readonly Name[], description: string) {
  return z.array(z.enum(names)).min(1).nullable().describe(`${description}, or \`null\` for all.`).optional();
}

function keysOf<Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(table) as Name[];
}

const ClientGrants = z
  .strictObject({
    ...grants,
    actsForPeople: z.boolean().describe(ACTS_FOR_PEOPLE).meta({ title: YES_OR_NO }).optional(),
  })
  .refine((given) => Object.keys(given).length > 0, 'must have operations, systems, fields or actsForPeople')
  .meta({ id: 'ClientGrants' });

const MAX_URL_LENGTH = 2000;

/** Where the public keys of a client come from. */
const keys = {
  jwks: JwkSet.describe('Its public keys.').optional(),
  jwksUrl: text({ max: MAX_URL_LENGTH, pattern: /^https:\/\/[^\s#@]+$/ })
    .refine((url) => URL.canParse(url), 'must be a URL')
    .meta({ format: 'uri' })
    .describe('An `https` URL that has its public keys as a JWK set.')
    .optional(),
};

const NewClient = z
  .strictObject({
    name: OperatorText.describe('What it is called.'),
    scope: z.enum(scopes).describe('What it may do. `operator` includes the scopes that begin with it.'),
    ...grants,
    actsForPeople: z.boolean().describe(ACTS_FOR_PEOPLE).optional(),
    ...keys,
  })
  .refine(({ jwks, jwksUrl }) => jwks === undefined || jwksUrl === undefined, 'must not have both jwks and jwksUrl')
  .meta({ id: 'NewClient' });

export const NewKeys = z
  .strictObject({ ...keys, none: z.literal(true).describe('The client has no keys from now on.').optional() })
  .refine((given) => Object.keys(given).length === 1, 'must have one of jwks, jwksUrl and none')
  .meta({ id: 'NewKeys' });

export const ClientCredentials = z
  .object({
    clientId,
    clientSecret: z.string().describe('It is shown only once. A client with keys has none.').optional(),
    scope: z.enum(scopes),
  })
  .meta({ id: 'ClientCredentials' });

/** Never contains a secret. */
export const Client = z
  .object({
    clientId,
    name: z.string(),
    scope: z.enum(scopes),
    createdAt: Moment,
    disabledAt: Moment.describe('Only if it is disabled.').optional(),
    lastTokenAt: Moment.describe('When it last got an access token.').optional(),
    operations: z.array(z.string()).describe('The operations that it may use. Without it, all.').optional(),
    systems: z.array(z.string()).describe('The systems whose data it sees. Without it, all.').optional(),
    fields: z.array(z.string()).describe('The fields of persons that it sees. Without it, all.').optional(),
    actsForPeople: z.literal(true).describe('Only if it may say for whom it acts, and why.').optional(),
    secrets: z
      .array(
        z.object({
          createdAt: Moment,
          expiresAt: Moment.describe(
            'Only of the previous secret, which a rotation left valid for seven days.',
          ).optional(),
        }),
      )
      .describe('The valid secrets, the current one first.'),
    keys: z
      .array(z.object({ kid: z.string(), alg: z.string(), createdAt: Moment }))
      .describe('Its public keys, the oldest first. Those of `jwksUrl` are those that it had last.')
      .optional(),
    jwksUrl: z.string().describe('Where its public keys come from.').optional(),
  })
  .meta({ id: 'Client' });

const Rotation = z
  .strictObject({ retire: z.boolean().describe('Create no secret, but end the previous one.').optional() })
  .optional()
  .meta({ id: 'Rotation' });

export const RotatedClient = Client.extend({
  clientSecret: z.string().describe('The new secret. It is shown only once.'),
}).meta({ id: 'RotatedClient' });

export const RetiredClient = Client.extend({
  retired: z.boolean().describe('Whether there was a previous secret to end.'),
}).meta({ id: 'RetiredClient' });

const RotationResult = z.union([RotatedClient, RetiredClient]).meta({ id: 'RotationResult' });

const CredentialKey = z
  .object({ id: z.int(), issuesFrom: Moment.describe('When it begins to issue secrets and tokens.') })
  .meta({ id: 'CredentialKey', description: 'A key of the checksums of secrets and tokens, which is never shown.' });

const ONLY_API_CLIENTS = 'The scope `operator:clients` is enough only for clients with the scope `api:use`.';

export const clientChange = {
  ...post,
  scope: 'operator:clients',
  pathParameters: z.strictObject({ clientId }),
  body: NoBody,
  response: Client,
} as const;
export const clientOperations = {
  operatorListClients: {
    ...list,
    scope: 'operator:clients',
    path: '/operator/v1/clients',
    summary: 'List the clients, and their valid secrets and keys',
    description: 'The oldest first. Secrets themselves are never shown.',
    response: Client,
  },
  operatorCreateClient: {
    ...post,
    scope: 'operator:clients',
    path: '/operator/v1/clients',
    summary: 'Create a client',
    description: 'The response contains its secret, which is shown only once. A client with keys gets no secret.',
    restriction: ONLY_API_CLIENTS,
    body: NewClient,
    response: ClientCredentials,
    problems: ['conflict'],
  },
  operatorGrantClient: {
    ...clientChange,
    path: '/operator/v1/clients/{clientId}/grants',
    summary: 'Set what a client may use and see',
    description:
      'Replaces what is sent and keeps the rest. It also holds for access tokens that the client has. Only a client with the scope `api:use` has lists.',
    restriction: ONLY_API_CLIENTS,
    body: ClientGrants,
    problems: ['conflict'],
  },
  operatorDisableClient: {
    ...clientChange,
    path: '/operator/v1/clients/{clientId}/disable',
    summary: 'Disable a client',
    description: 'Ends its access tokens and gives it no new ones.',
    restriction: 'A client cannot disable itself.',
  },
  operatorEnableClient: {
    ...clientChange,
    path: '/operator/v1/clients/{clientId}/enable',
    summary: 'Enable a disabled client',
    description: 'Gives it access tokens again. Ended tokens stay ended.',
    restriction: ONLY_API_CLIENTS,
  },
  operatorRotateSecret: {
    ...clientChange,
    path: '/operator/v1/clients/{clientId}/rotate',
    summary: 'Rotate the secret of a client',
    description:
      'The previous secret stays valid for seven days, and an older one ends now. With `retire` it creates no secret, but ends the previous one now, or the only one of a client that has keys. Tokens end with the secret that they were got with.',
    restriction: ONLY_API_CLIENTS,
    body: Rotation,
    response: RotationResult,
  },
  operatorSetClientKeys: {
    ...clientChange,
    path: '/operator/v1/clients/{clientId}/keys',
    summary: 'Replace the public keys of a client',
    description:
      'With them it proves who it is (`private_key_jwt`, RFC 7523) and needs no secret. Keys that it had before end now, with the tokens that they got, unless they are among the new ones. Secrets stay valid.',
    restriction: ONLY_API_CLIENTS,
    body: NewKeys,
  },
  operatorAddCredentialKey: {
    ...post,
    scope: 'operator',
    path: '/operator/v1/credential-keys',
    summary: 'Rotate the key of the checksums in secrets and tokens',
    description: 'The new key issues from a minute later on. Secrets and tokens of older keys stay valid.',
    body: NoBody,
    response: CredentialKey,
  },
} as const satisfies OperatorOperations;
