import type { FastifyInstance } from 'fastify';
import { HttpProblem } from './http-problem.ts';

/** Refuses addresses and methods that nothing answers, before anything else is looked at. */
export function refuseUnknown(server: FastifyInstance): void {
  server.addHook('onRequest', async (request) => {
    // Node lets bytes through that no address has, and reads them as Latin-1.
    if (/[^!-~]|#/.test(request.url)) throw new HttpProblem('invalid-request', 'Percent-encode the address.');
    if (!request.is404 && namesSomething(request.params)) return;
    const allowed = server.supportedMethods.filter((method) =>
      namesSomething(server.findRoute({ method, url: request.url })?.params),
    );
    if (allowed.length === 0) throw new HttpProblem('not-found', 'Nothing has this address.');
    const allow = allowed.join(', ');
    throw new HttpProblem('method-not-allowed', `Allowed here: ${allow}.`, { headers: { allow } });
  });
}

/** Whether an address was found that has no empty part where an id belongs. */
function namesSomething(params: unknown): boolean {
  return typeof params === 'object' && params !== null && !Object.values(params).includes('');
}
