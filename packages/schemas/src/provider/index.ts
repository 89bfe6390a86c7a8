export { bearerToken, insufficientScope, invalidToken } from './bearer-token.ts';
export { checkAccept, checkInputs, checkMediaType, checkPreconditions, checkTimeComponent } from './check-request.ts';
export type { BodyHeaders, Inputs, Preconditions, SentRequest } from './check-request.ts';
export { checkOperation, isVisible, mayHear, patchedFields, systemOf } from './grants.ts';
export type { Grants } from './grants.ts';
export { HttpError, HttpProblem, invalidClient, OAuthError } from './http-error.ts';
export type { ErrorPlace, HttpProblemOptions } from './http-error.ts';
export {
  acceptedRequestId,
  clientErrorProblem,
  MAX_BODY_BYTES,
  MAX_FORM_BYTES,
  rawProblem,
  responseHeaders,
} from './http-message.ts';
export { structureFault } from './json-structure.ts';
export { checkGrantType, checkRequestedScope, readCredentials, readForm, requiredField } from './oauth-request.ts';
export type { Credentials, Form } from './oauth-request.ts';
export { problems } from './problems.ts';
export type { UnavailableOptions } from './problems.ts';
export { rateLimitHeaders } from './rate-limit.ts';
export type { RateLimit, RateLimitHeaders } from './rate-limit.ts';
export type { InputSchemas } from './read-inputs.ts';
export { MAX_WEBHOOK_ENDPOINTS, newWebhookSecret, webhookHeaders } from './webhook-message.ts';
export type { WebhookMessage } from './webhook-message.ts';
