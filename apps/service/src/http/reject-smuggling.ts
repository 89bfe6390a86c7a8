import { HttpProblem } from '@hr/schemas/provider';
import type { FastifyInstance } from 'fastify';

/** Headers that a request has at most once: of two, a proxy may have used the other one. */
const singletons = ['authorization', 'content-type', 'host', 'transfer-encoding'];
/** A host (RFC 3986, section 3.2.2), and a port. */
const hostAndPort = /^(?:[\w.~!$&'()*+,;=%-]*|\[[\da-f:.]+\])(?::\d*)?$/i;

/** Rejects requests whose end or target a proxy may have understood differently: request smuggling. */
export function rejectSmuggling(server: FastifyInstance): void {
  server.addHook('onRequest', async ({ raw, headers }) => {
    const { rawHeaders, httpVersion } = raw;
    if (httpVersion !== '1.1' && httpVersion !== '1.0') throw ambiguous('Send HTTP/1.1.');
    const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
    const twice = singletons.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
    if (twice !== undefined) throw ambiguous(`Send the header ${twice} once.`);
    const coding = headers['transfer-encoding'];
    if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion === '1.0')) {
      throw ambiguous('The only transfer encoding is chunked, in HTTP/1.1.');
    }
    if (httpVersion === '1.1' && headers.host === undefined) throw ambiguous('Send a Host header.');
    if (!hostAndPort.test(headers.host ?? '')) throw ambiguous('The Host header is no host.');
  });
}

/** Closes the connection: what follows on it cannot be trusted. */
function ambiguous(detail: string): HttpProblem {
  return new HttpProblem('invalid-request', detail, { headers: { connection: 'close' } });
}
