import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { checkScope } from './authentication.ts';
import type { Authentication } from './authentication.ts';
import { checkAccept, checkMediaType } from './check-headers.ts';
import { checkInputs } from './check-inputs.ts';
import { checkTimeComponent } from './check-time-component.ts';
import { HttpProblem } from './http-problem.ts';
import type { Route } from './route.ts';
import type { ServiceContext } from './service-context.ts';

/** Adds a route that needs a token. What is wrong with a request is found in this order. */
export function addRoute(
  server: FastifyInstance,
  route: Route,
  context: ServiceContext,
  authenticate: Authentication,
): void {
  server.route({
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { operation: route.id },
    onRequest: async (request) => {
      const grant = await authenticate(request.headers.authorization);
      request.clientId = grant.clientId;
      checkScope(grant, route.scope);
      checkAccept(request);
      checkMediaType(route, request);
    },
    handler: async (request, reply) => {
      const inputs = checkInputs(route, request);
      if (route.timeComponent) checkTimeComponent(context.config.timeComponentVersion);
      const answer = await route.answer({ ...context, ...inputs, clientId: request.clientId ?? '' });
      if (answer === undefined) throw new HttpProblem('not-found', `There is no ${namedBy(route)} with this id.`);
      reply.type('application/json');
      if (!(answer instanceof Readable)) return Buffer.from(answer);
      // After the first byte a fault can only break the connection; it is for the log.
      return answer.once('error', (error) => {
        request.fault = error;
      });
    },
  });
}

/** What the parameter of a path identifies. */
const identified: Readonly<Record<string, string>> = {
  id: 'person',
  personId: 'person',
  contractId: 'payroll contract',
  paymentId: 'variable payment',
};

function namedBy({ path }: Route): string {
  const [, parameter = ''] = /\{(\w+)\}/.exec(path) ?? [];
  return identified[parameter] ?? parameter;
}
