const SSL_MODES = new Set(['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']);
/** What a service that writes can ask of a server. */
const SESSION_ATTRIBUTES = new Set(['any', 'read-write', 'primary']);
const ADDRESS = /^(?<before>postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)(?<hosts>[^@/?#]*)(?<after>[/?].*)?$/;
/** A name, an IPv4 address, a percent-encoded folder of a Unix socket or an IPv6 address in brackets, and a port. */
const HOST = /^(?:[^[\]:\s]+|\[[\da-f:.]+\])(?::\d*)?$/i;

/**
 * The addresses of the single servers in an address of PostgreSQL, which may have several hosts, as libpq takes them;
 * `undefined` if it is not valid.
 *
 * @example
 * serverUrls('postgres://u:p@one,[::1]:5433/hr'); // ['postgres://u:p@one/hr', 'postgres://u:p@[::1]:5433/hr']
 */
export function serverUrls(url: string): [string, ...string[]] | undefined {
  const { before = '', hosts = '', after = '' } = ADDRESS.exec(url)?.groups ?? {};
  if (before === '' || hosts + after === '') return undefined;
  const list = hosts.split(',');
  const urls = list.map((host) => before + host + after);
  const [first, ...others] = urls;
  // Without a host, the one of PGHOST or localhost.
  const isHostList = hosts === '' || list.every((host) => HOST.test(host));
  if (first === undefined || !isHostList || !urls.every((one) => URL.canParse(one))) return undefined;
  const { searchParams } = new URL(first);
  const [sslMode = 'disable', attributes = 'any', host = ''] = ['sslmode', 'target_session_attrs', 'host'].map(
    (name) => searchParams.get(name) ?? undefined,
  );
  // The client would not take apart the hosts of a parameter.
  return SSL_MODES.has(sslMode) && SESSION_ATTRIBUTES.has(attributes) && !host.includes(',')
    ? [first, ...others]
    : undefined;
}
