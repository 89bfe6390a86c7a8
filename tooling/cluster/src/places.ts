import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Everything that the cluster stores. It is deleted when the next one starts. */
export const FOLDER = join(tmpdir(), 'hr-cluster');

/** Only root can give each machine a network and a disk of its own. */
export const isRoot = process.getuid?.() === 0;
/** The network of the machines without its last part. */
export const NETWORK = isRoot ? '10.77.0' : '127.0.0';
/** The addresses of the database's machines: names before a port in the files of `etc`. */
export const addresses: Readonly<Record<string, string>> = Object.fromEntries(
  ['db-1', 'db-2', 'db-3'].map((name, index) => [name, `${NETWORK}.${index + 11}`]),
);

/** Where clients reach the service. */
export const BASE_URL = 'http://127.0.0.1:4010';
export const CONSOLE_URL = 'http://127.0.0.1:4020';
export const SERVICE_PORTS = [4011, 4012, 4013] as const;

/** Where the service reaches PostgreSQL, as `etc` has it. */
export const PRIMARY = '127.0.0.1:5000';
export const REPLICAS = '127.0.0.1:5001';
export const POOLER = '127.0.0.1:6432';

/** Every port of this machine that has to be free. */
export const PORTS = [...SERVICE_PORTS, ...[BASE_URL, CONSOLE_URL, PRIMARY, REPLICAS, POOLER].map(portOf)];

function portOf(address: string): number {
  return Number(/\d+$/.exec(address));
}
