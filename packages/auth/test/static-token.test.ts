import { expect, test } from 'vitest';
import { staticToken } from '../src/index.ts';

test('is always the same, and does not expire', async () => {
  const auth = staticToken('a-token-for-tests');
  const token = await auth.getToken();
  auth.invalidate(token);

  expect(await auth.getToken()).toBe(token);
  expect(token.value).toBe('a-token-for-tests');
  expect(token.expiresAt).toBe(Infinity);
});

test('rejects with the reason of an aborted signal', async () => {
  const reason = new Error('changed my mind');

  await expect(staticToken('a').getToken({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test.each(['', ' ', 'a b', 'a ', 'a\nb', 'a\x7f', 'schlüssel', undefined])('rejects %o', (value) => {
  expect(() => staticToken(value as string)).toThrow(expect.objectContaining({ code: 'invalid-option' }));
});
