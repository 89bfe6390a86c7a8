import { API_SCOPE, TOKEN_PATH } from './oauth-endpoints.ts';
import { operationObject } from './openapi/operation-object.ts';
import { oauthPaths } from './openapi/oauth-paths.ts';
import { problemResponses } from './openapi/problem-responses.ts';
import { schemaObjects } from './openapi/schema-objects.ts';
import { tags } from './openapi/tags.ts';
import { operations } from './operations.ts';
import type { Operation, OperationId } from './operations.ts';

const description = `Master data of persons, payroll and time management of an HR cloud.

Every call needs an access token: get one with client credentials (OAuth 2.0) and send it as \`Authorization: Bearer TOKEN\`.

An error is answered as \`application/problem+json\` (RFC 9457): \`type\` names its kind, \`detail\` says what helps, and by \`requestId\` support finds it in the log.`;

/** Values that are not in the operation table. */
export interface OpenApiOptions {
  /** Base URL of the API. Default `/`, the host that serves the document. */
  readonly serverUrl?: string;
  /** Version of the interface description (section 9). Default `v1`. */
  readonly version?: string;
}

/** The return type of {@link openApiDocument}. */
export type OpenApiDocument = ReturnType<typeof openApiDocument>;

/**
 * Creates the OpenAPI 3.1 document of the API from the operation table and the models. It is plain JSON.
 *
 * @example
 * JSON.stringify(openApiDocument({ serverUrl: 'https://hr.example.com' }));
 */
export function openApiDocument({ serverUrl = '/', version = 'v1' }: OpenApiOptions = {}) {
  const base = serverUrl.replace(/\/+$/, '');
  const paths: Record<string, Record<string, unknown>> = { ...oauthPaths };
  for (const [id, operation] of Object.entries<Operation>(operations)) {
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = operationObject(id as OperationId, operation);
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'HR Cloud API',
      version,
      description,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: base || '/' }],
    security: [{ oauth2: [API_SCOPE] }],
    tags,
    paths,
    components: {
      schemas: schemaObjects(),
      responses: problemResponses(),
      securitySchemes: {
        oauth2: {
          type: 'oauth2',
          flows: {
            clientCredentials: {
              tokenUrl: `${base}${TOKEN_PATH}`,
              scopes: { [API_SCOPE]: 'Use of the API' },
            },
          },
        },
      },
    },
  };
}
