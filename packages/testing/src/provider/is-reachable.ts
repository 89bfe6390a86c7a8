import { connect } from 'node:net';

const LONGEST_WAIT_MS = 5_000;

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Whether something listens there. */
export async function isReachable({ hostname, port, protocol }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const host = hostname.replaceAll(/^\[|\]$/g, '');
    const socket = connect({ host, port: Number(port) || (defaultPorts[protocol] ?? 0), timeout: LONGEST_WAIT_MS });
    const end = (found: boolean) => {
      socket.destroy();
      resolve(found);
    };
    socket
      .once('connect', () => end(true))
      .once('error', () => end(false))
      .once('timeout', () => end(false));
  });
}
