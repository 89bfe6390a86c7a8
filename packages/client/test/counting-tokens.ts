import type { AccessToken, TokenProvider } from '../src/index.ts';

export interface CountingTokens extends TokenProvider {
  /** How many tokens were made. */
  readonly made: number;
}

/** Hands out `token-1` until that is invalidated, then `token-2`, and so on. Making one takes a turn of the event loop. */
export function countingTokens(): CountingTokens {
  let made = 0;
  let current: AccessToken | undefined;
  let making: Promise<AccessToken> | undefined;

  async function make(): Promise<AccessToken> {
    await new Promise((resolve) => setImmediate(resolve));
    made++;
    current = { value: `token-${made}` };
    making = undefined;
    return current;
  }

  return {
    get made() {
      return made;
    },
    async getToken() {
      return current ?? (making ??= make());
    },
    invalidate(rejected) {
      if (rejected === current) current = undefined;
    },
  };
}
