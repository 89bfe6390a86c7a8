const LOOPBACK = '127.0.0.1,localhost';

/**
 * The environment for Pact's programs. They report nothing to their makers. What names a broker is left out, because it
 * would add pacts and publish results that nobody asked for. Proxies are for the broker only, never for this machine.
 */
export function pactEnvironment(from: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept = Object.entries(from).filter(
    ([name]) => !/^PACT_(?:BROKER|PROVIDER_VERSION|VERIFIER)_|^no_proxy$/i.test(name),
  );
  const exempt = [from['NO_PROXY'], from['no_proxy'], LOOPBACK].filter(Boolean).join(',');
  return {
    ...Object.fromEntries(kept),
    PACT_DO_NOT_TRACK: 'true',
    SCARF_ANALYTICS: 'false',
    NO_PROXY: exempt,
    no_proxy: exempt,
  };
}
