import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { checkScope, commandLine } from './authentication.ts';
import { checkAccept, checkMediaType } from './check-headers.ts';
import { checkInputs } from './check-inputs.ts';
import { checkRateLimit } from './check-rate-limit.ts';
import { checkTimeComponent } from './check-time-component.ts';
import { HttpProblem } from './http-problem.ts';
import { identifiedBy } from './path-subject.ts';
import { perform } from './perform.ts';
import type { Route } from './route.ts';
import type { Runtime } from './service-context.ts';

/** Adds a route that needs a token. What is wrong with a request is found in this order. */
export function addRoute(server: FastifyInstance, route: Route, runtime: Runtime): void {
  server.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { operation: route.id },
    onRequest: async (request, reply) => {
      const grant = await runtime.authentication.grantOf(request.headers.authorization);
      request.grant = grant;
      request.clientId = grant.clientId;
      checkScope(grant, route.scope);
      if (grant !== commandLine) await checkRateLimit({ name: 'client', clientId: grant.clientId }, reply, runtime);
      checkAccept(request);
      checkMediaType(route, request);
    },
    handler: async (request, reply) => {
      const inputs = checkInputs(route, request);
      if (route.timeComponent) checkTimeComponent(runtime.config.timeComponentVersion);
      const answer = await perform(route, request, inputs, runtime);
      if (!answer) throw new HttpProblem('not-found', `There is no ${identifiedBy(route.path)} with this id.`);
      reply.type('application/json');
      const { json } = answer;
      if (!(json instanceof Readable)) return Buffer.from(json);
      // After the first byte a fault can only break the connection; it is for the log.
      return json.once('error', (error) => {
        request.fault = error;
      });
    },
  });
}
