import { HttpProblem, problems } from '@hr/schemas/provider';
import type { FastifyInstance } from 'fastify';

/** Rejects unknown paths and methods before anything else is checked. */
export function rejectUnknown(server: FastifyInstance): void {
  server.addHook('onRequest', async (request) => {
    // Node accepts bytes that no address has, and reads them as Latin-1.
    if (/[^!-~]|#/.test(request.url)) throw new HttpProblem('invalid-request', 'Percent-encode the address.');
    if (!request.is404 && namesSomething(request.params)) return;
    const allowed = server.supportedMethods.filter((method) =>
      namesSomething(server.findRoute({ method, url: request.url })?.params),
    );
    throw allowed.length === 0 ? problems.unknownPath() : problems.methodNotAllowed(allowed);
  });
}

/** Whether a path was found that has no empty part where an id belongs. */
function namesSomething(params: unknown): boolean {
  return typeof params === 'object' && params !== null && !Object.values(params).includes('');
}
