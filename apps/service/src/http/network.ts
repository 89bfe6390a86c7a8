import { isIPv6 } from 'node:net';

const GROUPS = 8;
/** A customer gets a network of IPv6 of at least this size, and may use any address of it. */
const NETWORK_GROUPS = 4;

/**
 * What addresses have in common that belong to the same caller: an IPv4 address, or the first 64 bits of an IPv6 address.
 *
 * @example
 * networkOf('2001:db8::1'); // '2001:db8:0:0'
 */
export function networkOf(address: string): string {
  // Some proxies write the port of the caller, too.
  const [, ipv4] = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/i.exec(address) ?? [];
  if (ipv4 !== undefined) return ipv4;
  if (!isIPv6(address)) return 'unknown';
  const [before = '', after = ''] = address.replace(/%.*/, '').split('::');
  const [head, tail] = [before, after].map((part) => (part === '' ? [] : part.split(':'))) as [string[], string[]];
  const zeros = Array<string>(Math.max(0, GROUPS - head.length - tail.length)).fill('0');
  const groups = [...head, ...zeros, ...tail].slice(0, NETWORK_GROUPS);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}
