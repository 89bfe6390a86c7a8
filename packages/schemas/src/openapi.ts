import type { z } from 'zod';
import { API_SCOPE, TOKEN_PATH } from './oauth.ts';
import {
  extensionObject,
  extensionProblems,
  operationObject,
  parametersOf,
  type ExtensionOperation,
} from './openapi/operation-object.ts';
import { oauthPaths } from './openapi/oauth-paths.ts';
import { problemResponses } from './openapi/problem-responses.ts';
import { schemaObjects } from './openapi/schema-objects.ts';
import { tags } from './openapi/descriptions.ts';
import { webhooks } from './openapi/webhooks.ts';
import { operations, type Operation } from './operations.ts';
import type { OperationId } from './operation-types.ts';

const description = `Master data of persons, payroll and time management of an HR cloud.

Every call needs an access token: get one with client credentials (OAuth 2.0) and send it as \`Authorization: Bearer TOKEN\`.

An error is answered as \`application/problem+json\` (RFC 9457): \`type\` names its kind, \`detail\` says what helps, and by \`requestId\` support finds it in the log.`;

/** Values that are not in the operation table. */
export interface OpenApiOptions {
  /** Base URL of the API. Default `/`, the host that serves the document. */
  readonly serverUrl?: string | undefined;
  /** Version of the interface description (section 9). Default `v1`. */
  readonly version?: string | undefined;
  /** What the service has beyond the API. Default none. */
  readonly extensions?: OpenApiExtensions | undefined;
}

/** What a service has beyond the API, for example operations for its operators. */
export interface OpenApiExtensions {
  /** By `operationId`. */
  readonly operations: Readonly<Record<string, ExtensionOperation>>;
  /** The description of each additional tag. */
  readonly tags: Readonly<Record<string, string>>;
  /** The description of each additional scope. */
  readonly scopes: Readonly<Record<string, string>>;
  /** Headers that every operation with an access token accepts, each with a description in its zod metadata. */
  readonly headers?: z.ZodObject | undefined;
}

export type { ExtensionOperation };

/** The return type of {@link openApiDocument}. */
export type OpenApiDocument = ReturnType<typeof openApiDocument>;

/**
 * Creates the OpenAPI 3.1 document of the API from the operation table and the models. It is plain JSON.
 *
 * @example
 * JSON.stringify(openApiDocument({ serverUrl: 'https://hr.example.com' }));
 */
export function openApiDocument({
  serverUrl = '/',
  version = 'v1',
  extensions = { operations: {}, tags: {}, scopes: {} },
}: OpenApiOptions = {}) {
  const base = serverUrl.replace(/\/+$/, '');
  const headers: Record<string, object> = Object.fromEntries(
    (extensions.headers ? parametersOf('header', extensions.headers) : []).map((header) => [header.name, header]),
  );
  const parameters = Object.keys(headers).map((name) => ({ $ref: `#/components/parameters/${name}` }));
  const pathItem = () => (parameters.length > 0 ? { parameters } : {});
  const paths: Record<string, Record<string, unknown>> = { ...oauthPaths };
  for (const [id, operation] of Object.entries<Operation>(operations)) {
    (paths[operation.path] ??= pathItem())[operation.method.toLowerCase()] = operationObject(
      id as OperationId,
      operation,
    );
  }
  for (const [id, operation] of Object.entries(extensions.operations)) {
    (paths[operation.path] ??= pathItem())[operation.method.toLowerCase()] = extensionObject(id, operation);
  }
  const further = Object.values(extensions.operations);
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
    tags: [...tags, ...Object.entries(extensions.tags).map(([name, text]) => ({ name, description: text }))],
    paths,
    webhooks,
    components: {
      schemas: schemaObjects(further),
      ...(parameters.length > 0 && { parameters: headers }),
      responses: problemResponses(further.map(extensionProblems)),
      securitySchemes: {
        oauth2: {
          type: 'oauth2',
          flows: {
            clientCredentials: {
              tokenUrl: `${base}${TOKEN_PATH}`,
              scopes: { [API_SCOPE]: 'Use of the API', ...extensions.scopes },
            },
          },
        },
      },
    },
  };
}
