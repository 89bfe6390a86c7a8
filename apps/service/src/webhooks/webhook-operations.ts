import { Identifier, WebhookDelivery, WebhookEndpoint } from '@hr/schemas';
import { z } from 'zod';
import { NoBody } from '../operator/operator-models.ts';
import { list, post, type OperatorOperations } from '../operator/operator-operation.ts';

const { createdAt, failures, failingSince, pausedAt } = WebhookEndpoint.shape;
const pathParameters = z.strictObject({ endpointId: Identifier.describe('Id of the webhook endpoint.') });

/** As operators see it: never a secret, nor a URL, which may contain one. */
const OperatorWebhookEndpoint = z
  .object({
    id: z.string(),
    clientId: z.string(),
    origin: z.string().describe('Scheme, host and port of its URL.'),
    createdAt,
    failures,
    failingSince,
    pausedAt,
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
