import { problems } from '@hr/schemas/provider';
import { secretHash } from '../clients/secrets.ts';
import { networkOf } from './network.ts';

/** So many attempts of a network may fail, and from then on so many a minute. */
const MAX_FAILURES = 200;
const WINDOW_SECONDS = 60;
const RETRY_SECONDS = 1;
/** Failures of this many networks are counted, and the one that was counted longest ago is forgotten for another. */
const MAX_NETWORKS = 10_000;
/** So many tokens and secrets are known to have been valid, as hashes. */
const MAX_KNOWN = 10_000;

/** Makes guessing cost: a network that has failed too often gets 429, without a query to the database. */
export interface FailedAuthentications {
  /**
   * Looks up what a token or a secret proves; `undefined` is a failure.
   *
   * One that was valid before is looked up in any case, so that clients behind the proxy of an attacker can go on.
   *
   * @param address the IP address of the caller
   * @throws {HttpProblem} `too-many-requests` instead of a lookup.
   */
  attempt<Found>(address: string, secret: string, lookUp: () => Promise<Found | undefined>): Promise<Found | undefined>;
  /** Makes a token known that was just issued. */
  trust(secret: string): void;
}

interface Failures {
  count: number;
  /** In the milliseconds of `performance.now()`. */
  countedAt: number;
}

export function createFailedAuthentications(): FailedAuthentications {
  const networks = new Map<string, Failures>();
  const known = new Map<string, true>();

  function failuresOf(network: string): Failures {
    const now = performance.now();
    const failures = networks.get(network) ?? { count: 0, countedAt: now };
    const forgiven = ((now - failures.countedAt) / 1000) * (MAX_FAILURES / WINDOW_SECONDS);
    failures.count = Math.max(0, failures.count - forgiven);
    failures.countedAt = now;
    setLast(networks, network, failures, MAX_NETWORKS);
    return failures;
  }

  return {
    async attempt(address, secret, lookUp) {
      const name = hashOf(secret);
      const isKnown = known.has(name);
      const failures = isKnown ? undefined : failuresOf(networkOf(address));
      if (failures && failures.count > MAX_FAILURES - 1) throw tooManyFailures();
      // Counted before it is known to fail, as many may be looked up at the same time.
      if (failures) failures.count++;
      let hasFailed = false;
      try {
        const found = await lookUp();
        hasFailed = found === undefined;
        if (hasFailed) known.delete(name);
        else setLast(known, name, true, MAX_KNOWN);
        return found;
      } finally {
        if (failures && !hasFailed) failures.count--;
      }
    },
    trust: (secret) => setLast(known, hashOf(secret), true, MAX_KNOWN),
  };
}

function hashOf(secret: string): string {
  return secretHash(secret).toString('base64');
}

/** Sets an entry behind all others; the first one goes where there are more than so many. */
function setLast<Value>(map: Map<string, Value>, key: string, value: Value, max: number): void {
  map.delete(key);
  map.set(key, value);
  const [first] = map.keys();
  if (first !== undefined && map.size > max) map.delete(first);
}

function tooManyFailures() {
  const limit = {
    name: 'authentication',
    quota: MAX_FAILURES,
    window: WINDOW_SECONDS,
    remaining: 0,
    reset: RETRY_SECONDS,
  };
  const detail = 'Too many tokens or secrets from this address were not valid. Check yours, and ask again in a moment.';
  return problems.tooManyRequests(limit, detail);
}
