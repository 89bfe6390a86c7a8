import type { AsyncEntry } from '@napi-rs/keyring';
import type { Terminal } from './terminal.ts';

/**
 * Does something with what the keychain of the system keeps for an account; undefined if that fails, or there is no
 * keychain. `HR_KEYCHAIN=off` leaves it alone.
 */
export async function inKeychain<Result>(
  { env }: Pick<Terminal, 'env'>,
  account: string,
  act: (entry: AsyncEntry) => Promise<Result>,
): Promise<Result | undefined> {
  if (env['HR_KEYCHAIN'] === 'off') return undefined;
  try {
    // Its native part is an optional package. Few commands need it.
    const keyring = await import('@napi-rs/keyring');
    // The other store of Linux forgets everything when the machine stops.
    return await act(new keyring.AsyncEntry('hr', account, { linux: { store: 'secret-service' } }));
  } catch {
    return undefined;
  }
}
