import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { exitCodes } from '../cli-error.ts';
import { TIMEOUT_MS } from '../try-operation.ts';
import { Fault, Skip, systemCode, type Check, type Examination } from './examination.ts';

const { network, usage } = exitCodes;

const MAX_CLOCK_DIFFERENCE_MS = 60_000;
const MS_PER_SECOND = 1000;
const MS_PER_DAY = 86_400_000;
const SOON_DAYS = 14;

/** The way to the service: address, proxy, certificate, redirects, what responds, and the clock. */
export const connectionChecks: readonly Check[] = [
  { name: 'address', needs: ['profile'], run: checkAddress },
  { name: 'proxy', needs: ['profile'], run: checkProxy },
  { name: 'certificate', needs: ['address', 'proxy'], run: checkCertificate },
  { name: 'response', needs: ['address', 'proxy', 'certificate'], run: checkResponse },
  { name: 'redirect', needs: ['response'], run: checkRedirect },
  { name: 'service', needs: ['redirect'], run: checkService },
  { name: 'clock', needs: ['response'], run: checkClock },
];

async function checkAddress({ url, proxy, context }: Examination): Promise<string> {
  const { hostname, host } = url;
  if (isProxied(proxy)) throw new Skip('the proxy looks it up');
  const name = hostname.replace(/^\[|\]$/g, '');
  const found = await lookup(name).catch((error: unknown) => {
    const remedy = 'Check the spelling. If the name is internal, connect to the VPN.';
    throw new Fault(`no address for ${hostname} in DNS (${systemCode(error)})`, remedy, network);
  });
  await connected(name, portOf(url), context.signal).catch((error: unknown) => {
    const code = systemCode(error);
    const remedies: Readonly<Record<string, string>> = {
      ECONNREFUSED: 'Nothing listens there. Check the port, and whether the service runs.',
      ETIMEDOUT: 'A firewall may drop the connection. Ask the network administrator, or set a proxy.',
    };
    const remedy = remedies[code] ?? 'Check the network and the VPN.';
    throw new Fault(`no connection to ${host} at ${found.address} (${code})`, remedy, network);
  });
  return `${host} is ${found.address} and accepts connections`;
}

async function checkProxy({ url, proxy, context }: Examination): Promise<string> {
  if (!proxy) return 'none in the environment';
  const { variable, isExempt, isUsed } = proxy;
  if (isExempt) return `${variable} is set, and NO_PROXY exempts ${url.hostname}`;
  if (!isUsed) {
    const note = `${variable} is set, but Node.js does not use it`;
    const isReachable = await connected(url.hostname, portOf(url), context.signal).catch(() => false);
    // A direct connection may be what is wanted.
    if (isReachable) return `${note}; the direct connection works`;
    throw new Fault(note, 'Set NODE_USE_ENV_PROXY=1.', network);
  }
  if (!proxy.url) {
    throw new Fault(`${variable} is not a URL`, 'Write it like http://proxy.example.com:3128.', usage);
  }
  // Only its host: the URL may contain a password.
  const { host, hostname } = proxy.url;
  await connected(hostname, portOf(proxy.url), context.signal).catch((error: unknown) => {
    const remedy = `Correct ${variable}, or add ${url.hostname} to NO_PROXY.`;
    throw new Fault(`no connection to the proxy ${host} of ${variable} (${systemCode(error)})`, remedy, network);
  });
  return `${host} of ${variable} accepts connections`;
}

async function checkCertificate(examination: Examination): Promise<string> {
  const { url, proxy, context } = examination;
  if (url.protocol !== 'https:') throw new Skip('the address is plain http');
  if (isProxied(proxy)) {
    await examination.probe().catch((error: unknown) => {
      throw certificateFault(systemCode(error), url) ?? new Skip('nothing responds through the proxy');
    });
    return 'trusted, behind the proxy';
  }
  const name = url.hostname;
  const socket = connectTls({ host: name, port: portOf(url), servername: /^[\d.[]/.test(name) ? '' : name });
  const { valid_to: end, issuer } = await opened(socket, 'secureConnect', context.signal)
    .then(() => socket.getPeerCertificate())
    .catch((error: unknown) => {
      const code = systemCode(error);
      throw (
        certificateFault(code, url) ??
        new Fault(`no TLS connection (${code})`, 'Check that the port is the one for https.', network)
      );
    })
    .finally(() => socket.destroy());
  const days = Math.floor((Date.parse(end) - Date.now()) / MS_PER_DAY);
  const until = new Date(end).toISOString().slice(0, 10);
  const by = [issuer.O ?? issuer.CN].flat().join(', ');
  return `trusted, issued by ${by}, valid until ${until}${days < SOON_DAYS ? ` (${days} days)` : ''}`;
}

function certificateFault(code: string, { hostname }: URL): Fault | undefined {
  const other = `the certificate is for another host than ${hostname}`;
  const [message, remedy] =
    {
      CERT_HAS_EXPIRED: ['the certificate has expired', 'Ask the operator to renew it.'],
      CERT_NOT_YET_VALID: ['the certificate is not valid yet', 'Check the clock of this machine.'],
      ERR_TLS_CERT_ALTNAME_INVALID: [other, 'Use the host name that the certificate is for, or ask the operator.'],
    }[code] ?? [];
  if (message !== undefined && remedy !== undefined) return new Fault(message, remedy, network);
  if (!/^(?:CERT_\w+|UNABLE_TO_\w+|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT(?:_IN_CHAIN)?)$/.test(code)) return undefined;
  return new Fault(
    `this machine does not trust the certificate (${code})`,
    'Set NODE_EXTRA_CA_CERTS to a PEM file of its authority, or NODE_OPTIONS=--use-system-ca if the system trusts it.',
    network,
  );
}

async function checkResponse(examination: Examination): Promise<string> {
  const isPlain = examination.url.protocol === 'http:';
  const remedy = isPlain ? 'Check the port; it may be one for https.' : 'Check the network and the proxy.';
  const { status } = await examination.probe().catch((error: unknown) => {
    throw new Fault(`no complete HTTP response (${systemCode(error)})`, remedy, network);
  });
  if (status === 407) {
    throw new Fault('the proxy requires a login', 'Add user and password to the URL of the proxy.', network);
  }
  return `status ${status} to a request without a token`;
}

async function checkRedirect(examination: Examination): Promise<string> {
  const { status, headers } = await examination.probe();
  if (status < 300 || status > 399) return 'none';
  const target = URL.parse(headers.get('location') ?? '', examination.url.href)?.origin;
  throw new Fault(
    target === undefined ? `the service redirects (${status})` : `the service redirects to ${target}`,
    'hr does not follow, so that no secret goes elsewhere. Set the final address: hr auth login --base-url',
  );
}

async function checkService(examination: Examination): Promise<string> {
  const { status, headers } = await examination.probe();
  if (status >= 500) throw new Fault(`status ${status}`, 'Try again later, or ask the operator.');
  const challenge = headers.get('www-authenticate') ?? 'Bearer';
  if (status === 401 && /^bearer\b/i.test(challenge)) return 'an HR Cloud: it asks for an access token';
  throw new Fault(
    `something else than the HR Cloud responds: status ${status} without asking for an access token`,
    'Check the address. It ends before /api/v1.',
  );
}

async function checkClock(examination: Examination): Promise<string> {
  const { headers } = await examination.probe();
  const service = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(service)) throw new Skip('the service sends no date');
  const difference = Date.now() - service;
  if (Math.abs(difference) <= MAX_CLOCK_DIFFERENCE_MS) return 'as that of the service, within a minute';
  const seconds = Math.round(Math.abs(difference) / MS_PER_SECOND);
  throw new Fault(
    `this machine's clock is ${seconds} s ${difference > 0 ? 'ahead of' : 'behind'} that of the service`,
    'Synchronize it with NTP.',
  );
}

function isProxied(proxy: Examination['proxy']): boolean {
  return proxy !== undefined && proxy.isUsed && !proxy.isExempt;
}

function portOf({ port, protocol }: URL): number {
  return Number(port || (protocol === 'https:' ? 443 : 80));
}

async function connected(hostname: string, port: number, signal: AbortSignal): Promise<true> {
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port });
  await opened(socket, 'connect', signal).finally(() => socket.destroy());
  return true;
}

async function opened(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  await once(socket, event, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
}
