import { TokenError, TokenRequest, TokenResponse } from '../token.ts';
import { authenticate, responseOf } from './problem-responses.ts';
import { schemaReference } from './schema-objects.ts';

const refusal = { 'application/json': { schema: schemaReference(TokenError) } };

/** The Operation Object of the token endpoint (section 5), which stands outside the operation table: it needs no token. */
export const tokenOperation = {
  operationId: 'requestToken',
  tags: ['Token'],
  summary: 'Get an access token with the client-credentials grant',
  description:
    'RFC 6749, section 4.4. The credentials come in the form or as HTTP Basic, not both. There is no refresh token: ask for a new one. Section 5.',
  security: [],
  requestBody: {
    required: true,
    content: { 'application/x-www-form-urlencoded': { schema: schemaReference(TokenRequest) } },
  },
  responses: {
    200: { description: 'The token.', content: { 'application/json': { schema: schemaReference(TokenResponse) } } },
    400: { description: 'The request is refused.', content: refusal },
    401: { description: 'The client is unknown or its secret wrong.', headers: authenticate, content: refusal },
    ...responseOf('not-acceptable'),
    ...responseOf('request-timeout'),
    ...responseOf('content-too-large'),
    ...responseOf('headers-too-large'),
    ...responseOf('internal-error'),
    ...responseOf('unavailable'),
  },
};
