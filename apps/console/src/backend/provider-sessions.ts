import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { IdentityEndedError, type Identity, type IdentityProvider, type ProviderTokens } from './identity-provider.ts';
import { describeError } from './log.ts';
import { tryToStore } from './problem.ts';
import type { Records, User } from './records.ts';

/** A removed role ends within five minutes. One of them is left for the response of the provider. */
const CHECK_MS = 4 * 60_000;
/** Time until the next check, if the provider does not respond. */
const RETRY_MS = 30_000;

/** Sessions, and whether the provider still stands for them. */
export class Sessions {
  readonly #records: Records;
  readonly #provider: IdentityProvider | undefined;
  readonly #log: Logger;
  readonly #checks = new Map<string, Promise<void>>();

  constructor(records: Records, provider: IdentityProvider | undefined, log: Logger) {
    this.#records = records;
    this.#provider = provider;
    this.#log = log;
  }

  /**
   * Returns the person of a session that has not ended. Every few minutes, it checks the session with the provider first.
   *
   * @param isActive - Whether the person did something, so that the session goes on.
   */
  async user(token: string, isActive: boolean): Promise<User | undefined> {
    const user = this.#records.session(token, isActive);
    const known = user && this.#records.providerTokens(token);
    // One who signed in before there was a provider, or whom a former one named, signs in anew.
    if (user === undefined || (known === undefined) !== (this.#provider === undefined)) return undefined;
    if (known === undefined || this.#provider === undefined || Date.now() - known.checked < CHECK_MS) return user;
    const check = this.#checks.get(token) ?? this.#check(token, known.sealed).finally(() => this.#checks.delete(token));
    this.#checks.set(token, check);
    await check;
    return this.#records.session(token, false);
  }

  async #check(token: string, sealed: Uint8Array): Promise<void> {
    try {
      const { user, tokens } = await (this.#provider as IdentityProvider).check(unseal(token, sealed));
      this.#records.savePerson(user);
      this.#records.keepTokens(token, Date.now(), seal(token, tokens));
    } catch (error) {
      if (error instanceof IdentityEndedError) {
        this.#records.signOut(token);
        return;
      }
      // People go on while the provider or the disk fails.
      this.#log.warn({ error: describeError(error) }, 'The roles of a person cannot be checked now.');
      tryToStore(() => this.#records.keepTokens(token, Date.now() - CHECK_MS + RETRY_MS, sealed));
    }
  }

  /** Starts a session of a person whom the provider has named. Returns its token, or undefined if they may not sign in. */
  start({ user, sid, tokens }: Identity): string | undefined {
    this.#records.savePerson(user);
    if (!this.#records.maySignIn(user.id)) return undefined;
    const token = this.#records.startSession(user.id, sid);
    this.#records.keepTokens(token, Date.now(), seal(token, tokens));
    return token;
  }

  /** Ends a session. Returns where the browser has to go to end that at the provider, too. */
  async end(token: string): Promise<URL | undefined> {
    const sealed = this.#records.providerTokens(token)?.sealed;
    this.#records.signOut(token);
    if (sealed === undefined) return undefined;
    return await this.#provider?.logoutAddress(unseal(token, sealed).idToken).catch(() => undefined);
  }
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts tokens with the secret of a session, which only the browser has: a copy of the file does not reveal them. */
function seal(secret: string, tokens: ProviderTokens): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', sealKey(secret), nonce);
  const text = [cipher.update(JSON.stringify(tokens), 'utf8'), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...text]);
}

function unseal(secret: string, sealed: Uint8Array): ProviderTokens {
  const decipher = createDecipheriv('aes-256-gcm', sealKey(secret), sealed.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const text = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  return JSON.parse(text.toString()) as ProviderTokens;
}

function sealKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'hr-console provider tokens', 32));
}
