import { expect, test } from 'vitest';
import { staticToken } from '../src/index.ts';

test('is always the same and never ends', async () => {
  const auth = staticToken('a-token-for-tests');
  const token = await auth.getToken();
  auth.invalidate(token);

  expect(await auth.getToken()).toBe(token);
  expect(token.value).toBe('a-token-for-tests');
  expect(token.expiresAt).toBe(Infinity);
});

test('heeds an aborted signal like any provider', async () => {
  const reason = new Error('changed my mind');

  await expect(staticToken('a').getToken({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test.each(['', ' ', 'a b', 'a ', 'a\nb', 'a\x7f', 'schlüssel', undefined])('refuses %o', (value) => {
  expect(() => staticToken(value as string)).toThrow(expect.objectContaining({ code: 'invalid-option' }));
});
