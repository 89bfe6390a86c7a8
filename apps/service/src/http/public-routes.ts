import { METADATA_PATH } from '@hr/schemas';
import { openApiDocument } from '@hr/schemas/openapi';
import type { OpenApiDocument } from '@hr/schemas/openapi';
import type { FastifyInstance } from 'fastify';
import { checkAccept } from './check-headers.ts';
import { authorizationServerMetadata } from './oauth/authorization-server-metadata.ts';
import { unavailable } from './problem-of.ts';
import type { ServiceContext } from './service-context.ts';

/** Adds what needs no token: the API's description, where the endpoints of OAuth are, and whether the process lives and can answer. */
export function addPublicRoutes(server: FastifyInstance, { config, database }: ServiceContext): void {
  let description: OpenApiDocument | undefined;
  const answers: Readonly<Record<string, () => Promise<unknown>>> = {
    '/openapi.json': async () => (description ??= openApiDocument()),
    [METADATA_PATH]: async () => authorizationServerMetadata(config.publicUrl ?? server.listeningOrigin),
    '/livez': async () => ({ status: 'live' }),
    '/readyz': async () => {
      await database.query('select 1').catch(() => {
        throw unavailable('The database does not answer.');
      });
      return { status: 'ready' };
    },
  };
  for (const [path, answer] of Object.entries(answers)) {
    server.get(path, {
      onRequest: async (request) => checkAccept(request),
      handler: async (_request, reply) => {
        reply.type('application/json');
        return Buffer.from(JSON.stringify(await answer()));
      },
    });
  }
}
