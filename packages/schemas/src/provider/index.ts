export { bearerToken, insufficientScope, invalidToken } from './bearer-token.ts';
export { checkAccept, checkInputs, checkMediaType, checkPreconditions, checkTimeComponent } from './check-request.ts';
export type { BodyHeaders, Inputs, Preconditions, SentRequest } from './check-request.ts';
export { checkOperation, isVisible, patchedFields, systemOf } from './grants.ts';
export type { Grants } from './grants.ts';
export { HttpError } from './http-error.ts';
export type { ErrorPlace } from './http-error.ts';
export {
  acceptedRequestId,
  clientErrorProblem,
  MAX_BODY_BYTES,
  MAX_FORM_BYTES,
  rawProblem,
  safetyHeaders,
} from './http-message.ts';
export { HttpProblem } from './http-problem.ts';
export type { HttpProblemOptions } from './http-problem.ts';
export { structureFault } from './json-structure.ts';
export { invalidClient, OAuthError } from './oauth-error.ts';
export { checkGrantType, checkRequestedScope, readCredentials, readForm, requiredField } from './oauth-request.ts';
export type { Credentials, Form } from './oauth-request.ts';
export { decodeFormValue, parseForm } from './parse-form.ts';
export { problems } from './problems.ts';
export type { UnavailableOptions } from './problems.ts';
export { rateLimitHeaders } from './rate-limit.ts';
export type { RateLimit, RateLimitHeaders } from './rate-limit.ts';
export { readInputs } from './read-inputs.ts';
export type { InputSchemas, ReadInputs, SentInputs } from './read-inputs.ts';
export { decodeUtf8, readJson } from './read-json.ts';
