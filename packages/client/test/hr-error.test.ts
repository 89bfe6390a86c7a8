import { expect, test, vi } from 'vitest';
import { HrError, isHrError } from '../src/index.ts';

test('an error of another copy of the package is recognised', async () => {
  vi.resetModules();
  const copy = await import('../src/hr-error.ts');
  const error = new copy.HrError('network', 'x');
  expect(error).not.toBeInstanceOf(HrError);
  expect(isHrError(error)).toBe(true);
  expect(copy.isHrError(new HrError('network', 'x'))).toBe(true);
});

test.each([[new Error('x')], [{ name: 'HrError', code: 'network' }], [undefined], [null], ['HrError'], [Symbol('x')]])(
  '%o is none',
  (value) => {
    expect(isHrError(value)).toBe(false);
  },
);

test('an error knows nothing it was not told', () => {
  expect(JSON.parse(JSON.stringify(new HrError('invalid-option', 'x')))).toEqual({
    name: 'HrError',
    code: 'invalid-option',
    attempts: 0,
    outcome: 'not-sent',
  });
});

test.each([
  ['network', {}, true],
  ['rate-limited', {}, true],
  ['rejected', {}, false],
  ['token-unavailable', { tokenErrorCode: 'timeout' }, true],
  ['token-unavailable', { tokenErrorCode: 'invalid-client' }, false],
  ['token-unavailable', {}, false],
])('%s with %o is transient: %s', (code, init, isTransient) => {
  expect(new HrError(code, 'x', init).isTransient).toBe(isTransient);
});
