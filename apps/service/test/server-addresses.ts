import type { FastifyInstance } from 'fastify';

const INDENT = '│   '.length;

/** Every address a server has, its parameters in braces, with the methods it allows. */
export function serverAddresses(server: FastifyInstance): ReadonlyMap<string, readonly string[]> {
  const addresses = new Map<string, readonly string[]>();
  const parents: string[] = [];
  for (const line of server.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part = '', methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (part === '') continue;
    const depth = indent.length / INDENT;
    // One place may have several names.
    parents[depth] = part.replaceAll(/:(\w+)(?:\|:\w+)*/g, '{$1}');
    if (methods !== '') addresses.set(parents.slice(0, depth + 1).join(''), methods.split(', ').toSorted());
  }
  return addresses;
}
