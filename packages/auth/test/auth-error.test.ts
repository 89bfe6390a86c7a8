import { expect, test, vi } from 'vitest';
import { AuthError, isAuthError } from '../src/index.ts';

test('an error of another copy of the package is an AuthError', async () => {
  vi.resetModules();
  const other = await import('../src/index.ts');
  const error = new other.AuthError('timeout', 'No token.', { attempts: 2 });

  expect(error).not.toBeInstanceOf(AuthError);
  expect(isAuthError(error)).toBe(true);
});

test.each([undefined, null, 'AuthError', {}, new Error('AuthError'), { name: 'AuthError', code: 'timeout' }])(
  '%o is not',
  (value) => {
    expect(isAuthError(value)).toBe(false);
  },
);

test('an error is an Error, and logs its data', () => {
  const init = { status: 429, attempts: 4, retryAfterMs: 1000, oauthError: 'invalid_client' } as const;
  const error = new AuthError('rate-limited', 'Too many.', init);

  expect(error).toBeInstanceOf(Error);
  expect(String(error)).toBe('AuthError: Too many.');
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'AuthError',
    code: 'rate-limited',
    ...init,
  });
});
