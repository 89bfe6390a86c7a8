/**
 * Verifies the webhooks of the HR Cloud, which follow Standard Webhooks (https://www.standardwebhooks.com). It runs
 * wherever `fetch` and WebCrypto do, and loads nothing of Node.js.
 *
 * @packageDocumentation
 */
export { verifyWebhook } from './verify-webhook.ts';
export type { WebhookOptions } from './verify-webhook.ts';
export { isWebhookError, WebhookError } from './webhook-error.ts';
export type { WebhookErrorCode } from './webhook-error.ts';
export type { WebhookData, WebhookEvent } from './webhook-event.ts';
export type { WebhookHeaders, WebhookRequest } from './webhook-request.ts';
