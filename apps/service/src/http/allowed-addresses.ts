import { BlockList, isIP } from 'node:net';

/** What is not public (the IANA registry of special-purpose addresses, and multicast). */
const special = blockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
]);
/** All other IPv6 addresses are private, reserved, or another form of an IPv4 address. */
const globalIPv6 = blockList(['2000::/3']);

/** Tells whether the service may send requests that others have chosen, such as webhooks, to an IP address. */
export interface AllowedAddresses {
  readonly isPublic: (address: string) => boolean;
  /** Whether it is in one of the networks that the operator allows. Only there http is enough. */
  readonly isAllowed: (address: string) => boolean;
}

export function allowedAddresses(networks: readonly string[] = []): AllowedAddresses {
  const allowed = blockList(networks);
  return {
    isPublic: (address) => !has(special, address) && (isIP(address) === 4 || has(globalIPv6, address)),
    isAllowed: (address) => has(allowed, address),
  };
}

/** Why nothing would ever be sent to a URL. The address of a name is known only when it is connected to. */
export function addressFault({ protocol, hostname }: URL, networks: readonly string[] | undefined): string | undefined {
  if (protocol === 'http:' && networks === undefined) return 'must be an https URL';
  const { isPublic, isAllowed } = allowedAddresses(networks);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) && !isPublic(host) && !isAllowed(host)) return 'must not be a private address';
  return undefined;
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  return list;
}

function has(list: BlockList, address: string): boolean {
  return list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
