import { HrTestingError } from '../hr-testing-error.ts';
import { exampleTokens } from '../contract/example-tokens.ts';
import { runHook } from './run-hook.ts';
import type { TokenSource } from './verify-options.ts';

export interface Tokens {
  readonly token?: TokenSource;
  readonly tokenWithoutScope?: TokenSource;
}

const BEARER = 'Bearer ';

const examples: readonly string[] = Object.values(exampleTokens);

/** Whether an `Authorization` header has a token that is none of the examples. */
export function isOwnToken(header = ''): boolean {
  return header.startsWith(BEARER) && !examples.includes(header.slice(BEARER.length));
}

const optionOf: Readonly<Record<string, keyof Tokens>> = {
  [BEARER + exampleTokens.valid]: 'token',
  [BEARER + exampleTokens.withoutScope]: 'tokenWithoutScope',
};

/**
 * The value of an `Authorization` header with a real token in place of an example token.
 *
 * @throws {HrTestingError} `invalid-option` when there is none; the message says why.
 */
export async function replaceToken(header: string, tokens: Tokens): Promise<string> {
  const option = optionOf[header];
  if (!option) return header;
  const source = tokens[option];
  if (!source)
    throw new HrTestingError(
      'invalid-option',
      `The contract sends the example token "${header.slice(BEARER.length)}": set the option ${option}.`,
    );
  let token: unknown;
  try {
    token = await runHook(source);
  } catch (error) {
    throw new HrTestingError('invalid-option', `The option ${option} has thrown: ${String(error)}`, { cause: error });
  }
  if (typeof token !== 'string' || token === '')
    throw new HrTestingError('invalid-option', `The option ${option} has given no token.`);
  return BEARER + token;
}
