import { z } from 'zod';
import type * as models from './generated/models.ts';
import type { Model } from './model.ts';
import { openEnum, text } from './primitives.ts';
import { rule } from './rule.ts';
import { endpointUrl, endpointUrlPattern } from './value-rules.ts';

const MAX_URL_LENGTH = 2000;

const moment = text().meta({ format: 'date-time' });

/** A URL that hears of changes from now on. An extension of the specification. */
export const NewWebhookEndpoint: Model<models.NewWebhookEndpoint> = z
  .strictObject({
    url: text({ max: MAX_URL_LENGTH })
      .check(rule(endpointUrl))
      .meta({ format: 'uri', pattern: endpointUrlPattern.source })
      .describe('Where notices are sent: an `https` URL of a public host.'),
  })
  .meta({ id: 'NewWebhookEndpoint', section: '6', description: 'A URL that hears of changes from now on.' });
export type NewWebhookEndpoint = models.NewWebhookEndpoint;

/** A URL of the client that hears of changes. An extension of the specification. */
export const WebhookEndpoint: Model<models.WebhookEndpoint> = z
  .strictObject({
    id: text(),
    url: text().meta({ format: 'uri' }),
    createdAt: moment.describe('An instant.'),
    failures: z.int().describe('How many attempts have failed since the last one that succeeded.'),
    failingSince: moment.describe('Only if the last attempt failed.').optional(),
    pausedAt: moment.describe('Only if it is paused: it gets nothing then.').optional(),
  })
  .meta({ id: 'WebhookEndpoint', section: '6', description: 'A URL of the client that hears of changes.' });
export type WebhookEndpoint = models.WebhookEndpoint;

/** A webhook endpoint with a new secret. An extension of the specification. */
export const WebhookEndpointWithSecret: Model<models.WebhookEndpointWithSecret> = z
  .strictObject({
    ...WebhookEndpoint.shape,
    secret: text().describe('The key of the signatures, `whsec_` and base64. It is shown only once.'),
  })
  .meta({ id: 'WebhookEndpointWithSecret', section: '6', description: 'A webhook endpoint with a new secret.' });
export type WebhookEndpointWithSecret = models.WebhookEndpointWithSecret;

/** An attempt to send to a webhook endpoint. An extension of the specification. */
export const WebhookDelivery: Model<models.WebhookDelivery> = z
  .strictObject({
    messageId: text().describe('The header `webhook-id`. Attempts to send the same notice have the same one.'),
    type: openEnum('changes', 'test'),
    sentAt: moment.describe('An instant.'),
    attempt: z.int().describe('1, and more after failures.'),
    status: z.int().describe('HTTP status of the response. Only 2xx is a success.').optional(),
    failure: openEnum('timeout', 'unknown-host', 'address-not-allowed', 'certificate', 'connection')
      .describe('Only if there was no response.')
      .optional(),
    durationMs: z.int(),
  })
  .meta({ id: 'WebhookDelivery', section: '6', description: 'An attempt to send to a webhook endpoint.' });
export type WebhookDelivery = models.WebhookDelivery;
