import { API_SCOPE, Identifier, text } from '@hr/schemas';
import type { ExtensionOperation } from '@hr/schemas/openapi';
import { z } from 'zod';
import { Moment, NoBody } from '../operator/operator-models.ts';
import { list, post, type OperatorOperations } from '../operator/operator-operation.ts';
import type { WebhookOperationId } from '../http/grant.ts';
import { failures } from './send-message.ts';

const MAX_URL_LENGTH = 2000;

/** Whether it is one of a server, with nothing in it that is not sent to the server. */
function isEndpointUrl(value: string): boolean {
  const url = URL.parse(value);
  return /^https?:$/.test(url?.protocol ?? '') && url?.username === '' && url.password === '' && !value.includes('#');
}

const NewWebhookEndpoint = z
  .strictObject({
    url: text({ min: 1, max: MAX_URL_LENGTH })
      .refine(isEndpointUrl, 'must be an https URL without user, password and fragment')
      .meta({ format: 'uri' })
      .describe('Where notices are sent: an `https` URL of a public host.'),
  })
  .meta({ id: 'NewWebhookEndpoint' });

const state = {
  createdAt: Moment,
  failures: z.int().describe('How many attempts have failed since the last one that succeeded.'),
  failingSince: Moment.describe('Only if the last attempt failed.').optional(),
  pausedAt: Moment.describe('Only if it is paused: it gets nothing then.').optional(),
};

const WebhookEndpoint = z.object({ id: z.string(), url: z.string(), ...state }).meta({ id: 'WebhookEndpoint' });

const WebhookEndpointWithSecret = WebhookEndpoint.extend({
  secret: z.string().describe('The key of the signatures, `whsec_` and base64. It is shown only once.'),
}).meta({ id: 'WebhookEndpointWithSecret' });

const WebhookDelivery = z
  .object({
    messageId: z.string().describe('The header `webhook-id`. Attempts to send the same notice have the same one.'),
    type: z.enum(['changes', 'test']),
    sentAt: Moment,
    attempt: z.int().describe('1, and more after failures.'),
    status: z.int().describe('HTTP status of the response. Only 2xx is a success.').optional(),
    failure: z.enum(failures).describe('Only if there was no response.').optional(),
    durationMs: z.int(),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.output<typeof WebhookDelivery>;

const pathParameters = z.strictObject({ endpointId: Identifier.describe('Id of the webhook endpoint.') });

/** The tag and the scope of the API's own operations. */
const ofClients = { tag: 'Changes', scopes: [API_SCOPE] } as const;
const change = { ...post, ...ofClients, pathParameters, body: NoBody } as const;

/** The operations of clients on their endpoints, which are beyond the API. */
export const webhookOperations = {
  createWebhookEndpoint: {
    ...post,
    ...ofClients,
    path: '/api/v1/webhook-endpoints',
    summary: 'Register a URL that hears of changes',
    description:
      'The response contains the secret of the signatures, which is shown only here and at a rotation. Notices follow Standard Webhooks. They tell what changed from now on, as far as the client may see it: see the webhook `changes`. A client has at most 10 endpoints.',
    body: NewWebhookEndpoint,
    response: WebhookEndpointWithSecret,
    problems: ['conflict'],
  },
  listWebhookEndpoints: {
    ...list,
    ...ofClients,
    path: '/api/v1/webhook-endpoints',
    summary: "List the client's webhook endpoints",
    description: 'The oldest first. Secrets are never shown.',
    response: WebhookEndpoint,
  },
  listWebhookDeliveries: {
    ...list,
    ...ofClients,
    path: '/api/v1/webhook-endpoints/{endpointId}/deliveries',
    summary: 'List the last 100 attempts to send to a webhook endpoint',
    description: 'The oldest first.',
    pathParameters,
    response: WebhookDelivery,
  },
  testWebhookEndpoint: {
    ...change,
    sends: true,
    path: '/api/v1/webhook-endpoints/{endpointId}/test',
    summary: 'Send a test event to a webhook endpoint now',
    description:
      'Responds with what came of it. After a success, a paused endpoint is active again, and a failing one is tried now. A receiver that responds 410 is removed.',
    response: WebhookDelivery,
  },
  rotateWebhookSecret: {
    ...change,
    path: '/api/v1/webhook-endpoints/{endpointId}/rotate',
    summary: 'Rotate the secret of a webhook endpoint',
    description:
      'For 24 hours, notices are signed with the previous secret too. An older one ends now. The response contains the new secret.',
    response: WebhookEndpointWithSecret,
  },
  deleteWebhookEndpoint: {
    ...change,
    method: 'DELETE',
    body: undefined,
    path: '/api/v1/webhook-endpoints/{endpointId}',
    summary: 'Remove a webhook endpoint',
    description: 'It gets nothing from now on, except for what is being sent. Responds with what it was.',
    response: WebhookEndpoint,
  },
} as const satisfies { readonly [Id in WebhookOperationId]: ExtensionOperation & { readonly sends?: true } };

/** As operators see it: never a secret, nor a URL, which may contain one. */
const OperatorWebhookEndpoint = z
  .object({
    id: z.string(),
    clientId: z.string(),
    origin: z.string().describe('Scheme, host and port of its URL.'),
    ...state,
    lastDelivery: WebhookDelivery.optional(),
  })
  .meta({ id: 'OperatorWebhookEndpoint' });

const decision = {
  ...post,
  scope: 'operator:clients',
  pathParameters,
  body: NoBody,
  response: OperatorWebhookEndpoint,
} as const;

export const operatorWebhookOperations = {
  operatorListWebhookEndpoints: {
    ...list,
    scope: 'operator:clients',
    path: '/operator/v1/webhook-endpoints',
    summary: 'List the webhook endpoints of all clients',
    description: 'By id, with the last attempt of each.',
    response: OperatorWebhookEndpoint,
  },
  operatorPauseWebhookEndpoint: {
    ...decision,
    path: '/operator/v1/webhook-endpoints/{endpointId}/pause',
    summary: 'Pause a webhook endpoint',
    description: 'It gets nothing until it is resumed, or until its client tests it with success.',
  },
  operatorResumeWebhookEndpoint: {
    ...decision,
    path: '/operator/v1/webhook-endpoints/{endpointId}/resume',
    summary: 'Resume a paused or failing webhook endpoint',
    description: 'It hears now of what changed meanwhile.',
  },
  operatorRemoveWebhookEndpoint: {
    ...decision,
    path: '/operator/v1/webhook-endpoints/{endpointId}/remove',
    summary: 'Remove a webhook endpoint',
    description: 'Responds with what it was.',
  },
} as const satisfies OperatorOperations;

/** The webhooks of the OpenAPI document. */
export const webhooks = {
  changes: {
    post: {
      operationId: 'changesWebhook',
      tags: ['Changes'],
      summary: 'Tells that something changed',
      description:
        'Sent to each webhook endpoint of a client that may see what changed, signed as in Standard Webhooks (https://www.standardwebhooks.com). It contains no personal data: read the lists that changed with the last cursor that you have. Notices come in order and at least once, and one tells of all changes since the one before. Respond with 2xx within 15 seconds; otherwise it is sent again for three days. With 410 the endpoint is removed.',
      security: [],
      parameters: [
        header('webhook-id', 'The same in each attempt to send the same notice.'),
        header('webhook-timestamp', 'When it was sent, in seconds since 1970. Refuse old ones.'),
        header('webhook-signature', 'One or more of `v1,BASE64`, separated by spaces. One that fits is enough.'),
      ],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['type', 'timestamp', 'data'],
              properties: {
                type: { type: 'string', enum: ['changes', 'test'], description: 'A test has no data.' },
                timestamp: {
                  type: 'string',
                  format: 'date-time',
                  description: 'When the last of the changes happened.',
                },
                data: { anyOf: [{ $ref: '#/components/schemas/Changes' }, { type: 'object', maxProperties: 0 }] },
              },
            },
          },
        },
      },
      responses: {
        '2XX': { description: 'The receiver knows.' },
        '4XX': { description: 'It is sent again; after 410 never.' },
      },
    },
  },
};

function header(name: string, description: string) {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } };
}
