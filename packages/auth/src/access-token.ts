/**
 * A bearer token (specification, section 5). A plain object will do; the tokens this package hands out show `value`
 * only to who asks for it by name, not to `util.inspect`, `JSON.stringify` or a spread.
 */
export interface AccessToken {
  /** What follows `Bearer ` in the `Authorization` header. */
  readonly value: string;
  /** When the token ends, in milliseconds since the epoch; `Infinity` when it never does. */
  readonly expiresAt: number;
}

const TOKEN_VALUE = /^[\x21-\x7e]+$/;

/** Whether a value can be a bearer token: printable ASCII without a space, as the header ends there (RFC 6750, section 2.1). */
export function isTokenValue(value: unknown): value is string {
  return typeof value === 'string' && TOKEN_VALUE.test(value);
}

export class HiddenAccessToken implements AccessToken {
  readonly #value: string;
  readonly expiresAt: number;

  constructor(value: string, expiresAt: number) {
    this.#value = value;
    this.expiresAt = expiresAt;
  }

  get value(): string {
    return this.#value;
  }
}
