import { INTROSPECTION_PATH, METADATA_PATH, REVOCATION_PATH, TOKEN_PATH } from '@hr/schemas';
import type { OpenApiDocument, OpenApiExtensions } from '@hr/schemas/openapi';
import { checkAccept, problems } from '@hr/schemas/provider';
import type { FastifyInstance } from 'fastify';
import { DatabaseUnavailableError } from '../database/database-errors.ts';
import { scopes } from './grant.ts';
import type { ServiceContext } from './runtime.ts';

export const READY_PATH = '/readyz';

/** Adds what needs no token: the API's description, the metadata of the OAuth endpoints, and the health checks. */
export function addPublicRoutes(
  server: FastifyInstance,
  {
    config,
    database,
    extensions,
  }: Pick<ServiceContext, 'config' | 'database'> & { readonly extensions: () => OpenApiExtensions },
): void {
  let checking: Promise<void> | undefined;
  const answers: Readonly<Record<string, () => Promise<unknown>>> = {
    '/openapi.json': async () => {
      // Few processes are ever asked for it.
      const { openApiDocument } = await import('@hr/schemas/openapi');
      return (description ??= openApiDocument({ extensions: extensions() }));
    },
    [METADATA_PATH]: async () => authorizationServerMetadata(issuerOf(config, server)),
    '/livez': async () => ({ status: 'live' }),
    [READY_PATH]: async () => {
      // Checks that run at the same time are one.
      checking ??= database.check().finally(() => (checking = undefined));
      await checking.catch((error: unknown) => {
        // For instance a password that was changed: whatever it is, the service is not ready.
        throw error instanceof DatabaseUnavailableError ? error : problems.unavailable('The database does not answer.');
      });
      return { status: 'ready' };
    },
  };
  for (const [path, answer] of Object.entries(answers)) {
    server.get(path, {
      onRequest: async (request) => checkAccept(request.headers.accept),
      handler: async (_request, reply) => {
        reply.type('application/json');
        return Buffer.from(JSON.stringify(await answer()));
      },
    });
  }
}

/** For all servers of the process. */
let description: OpenApiDocument | undefined;

/** The base address that callers use. */
export function issuerOf(config: Pick<ServiceContext['config'], 'publicUrl'>, server: FastifyInstance): string {
  return config.publicUrl ?? server.listeningOrigin;
}

const authMethods = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];
/** Of assertions. Ed25519 has two names (RFC 8037, RFC 9864). */
const algorithms = ['Ed25519', 'EdDSA', 'ES256'];

/**
 * The metadata of the OAuth endpoints (RFC 8414 section 2).
 *
 * @param issuer the base address that callers use
 */
function authorizationServerMetadata(issuer: string): object {
  return {
    issuer,
    token_endpoint: issuer + TOKEN_PATH,
    token_endpoint_auth_methods_supported: authMethods,
    token_endpoint_auth_signing_alg_values_supported: algorithms,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    scopes_supported: scopes,
    revocation_endpoint: issuer + REVOCATION_PATH,
    revocation_endpoint_auth_methods_supported: authMethods,
    revocation_endpoint_auth_signing_alg_values_supported: algorithms,
    introspection_endpoint: issuer + INTROSPECTION_PATH,
    introspection_endpoint_auth_methods_supported: authMethods,
    introspection_endpoint_auth_signing_alg_values_supported: algorithms,
    service_documentation: `${issuer}/docs`,
  };
}
