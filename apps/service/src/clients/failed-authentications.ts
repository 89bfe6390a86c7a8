import { problems } from '@hr/schemas/provider';
import { networkOf } from '../http/network.ts';

/** So many guesses of a network are 401, and from then on so many a minute. */
const MAX_GUESSES = 200;
const WINDOW_SECONDS = 60;
/** Guesses of this many networks are counted, and the one that was counted longest ago is forgotten for another. */
const MAX_NETWORKS = 10_000;
const limit = { name: 'authentication', quota: MAX_GUESSES, window: WINDOW_SECONDS, remaining: 0, reset: 1 };
const TOO_MANY = 'Too many tokens or secrets from this address were not valid. Check yours, and ask again in a moment.';

/** Counts tokens and secrets that the service never issued. No other request of their network is refused for them. */
export function createFailedAuthentications() {
  /** When each was counted, in the milliseconds of `performance.now()`. */
  const networks = new Map<string, { readonly guesses: number; readonly countedAt: number }>();

  return {
    /**
     * @param address the IP address of the caller
     * @throws {HttpProblem} `too-many-requests` if there were too many.
     */
    countGuess(address: string): void {
      const network = networkOf(address);
      const now = performance.now();
      const { guesses, countedAt } = networks.get(network) ?? { guesses: 0, countedAt: now };
      const forgiven = ((now - countedAt) / 1000) * (MAX_GUESSES / WINDOW_SECONDS);
      const left = Math.max(0, guesses - forgiven);
      const isTooMany = left > MAX_GUESSES - 1;
      // Set behind all others.
      networks.delete(network);
      networks.set(network, { guesses: isTooMany ? left : left + 1, countedAt: now });
      const [first] = networks.keys();
      if (first !== undefined && networks.size > MAX_NETWORKS) networks.delete(first);
      if (isTooMany) throw problems.tooManyRequests(limit, TOO_MANY);
    },
  };
}
