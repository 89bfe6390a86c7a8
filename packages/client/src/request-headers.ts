import { checkOption } from './hr-error.ts';

const BY_PLATFORM = 'The platform sets it.';
/** Headers that the client or the platform sets, with the source of their values. */
const ownHeaders: Readonly<Record<string, string>> = {
  authorization: 'It comes from the option auth.',
  'idempotency-key': 'It comes from idempotencyKey of the payment.',
  accept: 'It is application/json.',
  'content-type': 'It is application/json.',
  'content-length': 'It follows from the body.',
  connection: BY_PLATFORM,
  expect: BY_PLATFORM,
  'keep-alive': BY_PLATFORM,
  'transfer-encoding': BY_PLATFORM,
  upgrade: BY_PLATFORM,
};

/**
 * Checks the headers of a call, and gives their names in lower case. No message repeats a value: it may be a secret.
 *
 * @throws {HrError} `invalid-option`.
 */
export function checkedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  checkOption(typeof headers === 'object' && headers !== null, 'headers must be an object of strings by header name.');
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const lowerCase = name.toLowerCase();
      checkOption(
        /^[\w!#$%&'*+.^`|~-]+$/.test(name) && typeof value === 'string' && /^[\t\x20-\x7e\x80-\xff]*$/.test(value),
        'headers must have valid header names, with strings as values that a header can carry.',
      );
      const origin = Object.hasOwn(ownHeaders, lowerCase) ? ownHeaders[lowerCase] : undefined;
      checkOption(origin === undefined, `headers must not set ${lowerCase}. ${origin}`);
      return [lowerCase, value];
    }),
  );
}
