import type { z } from 'zod';
import {
  IntrospectionResponse,
  TokenQuery,
  INTROSPECTION_PATH,
  REVOCATION_PATH,
  TOKEN_PATH,
  TokenError,
  TokenRequest,
  TokenResponse,
} from '../oauth.ts';
import { authenticate, responsesOf } from './problem-responses.ts';
import { schemaReference } from './schema-objects.ts';

/** The Path Items of the OAuth endpoints. They are not in the operation table, because they need no token. */
export const oauthPaths = {
  [TOKEN_PATH]: {
    post: formOperation(TokenRequest, jsonOf('The token.', TokenResponse), {
      operationId: 'requestToken',
      summary: 'Get an access token with the client-credentials grant',
      description:
        'RFC 6749, section 4.4. The client sends its secret in the form or as HTTP Basic, or an assertion (RFC 7523) with the issuer or the token endpoint as `aud`, an `exp` within five minutes and a new `jti`. There is no refresh token: ask for a new one. Section 5.',
    }),
  },
  [REVOCATION_PATH]: {
    post: formOperation(
      TokenQuery,
      { description: 'The token is not valid now.' },
      {
        operationId: 'revokeToken',
        summary: 'End an access token before it expires',
        description:
          'RFC 7009. A client ends its own tokens; the one of another client is refused with `invalid_grant` and stays valid. Ending a token that is not known changes nothing.',
        'x-extension': true,
      },
    ),
  },
  [INTROSPECTION_PATH]: {
    post: formOperation(TokenQuery, jsonOf('What the token is worth.', IntrospectionResponse), {
      operationId: 'introspectToken',
      summary: 'Ask whether an access token is valid',
      description:
        'RFC 7662. A client sees its own tokens, an operator sees all; every other token is answered as not active.',
      'x-extension': true,
    }),
  },
};

interface Words {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly 'x-extension'?: true;
}

/** The Operation Object of a form with client credentials. */
function formOperation(form: z.ZodType, done: object, words: Words) {
  return {
    ...words,
    tags: ['Token'],
    security: [],
    requestBody: {
      required: true,
      content: { 'application/x-www-form-urlencoded': { schema: schemaReference(form) } },
    },
    responses: {
      200: done,
      400: jsonOf('The request is refused.', TokenError),
      401: { ...jsonOf('The client is unknown, or its secret or assertion wrong.', TokenError), headers: authenticate },
      ...responsesOf(
        'not-acceptable',
        'request-timeout',
        'content-too-large',
        'headers-too-large',
        'internal-error',
        'unavailable',
      ),
    },
  };
}

function jsonOf(description: string, model: z.ZodType) {
  return { description, content: { 'application/json': { schema: schemaReference(model) } } };
}
