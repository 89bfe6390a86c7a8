import { expect, test } from 'vitest';
import { abortable } from '../src/abortable.ts';

const never = new Promise<never>(() => undefined);

test('a signal that is already aborted ends the wait', async () => {
  await expect(abortable(never, AbortSignal.abort('too late'))).rejects.toBe('too late');
});

test('a signal that aborts ends the wait', async () => {
  const controller = new AbortController();
  const wait = abortable(never, controller.signal);
  controller.abort('enough');

  await expect(wait).rejects.toBe('enough');
});

test('without an abort it settles like the promise', async () => {
  const { signal } = new AbortController();
  const failure = new Error('failed');

  await expect(abortable(Promise.resolve(1), signal)).resolves.toBe(1);
  await expect(abortable(Promise.reject(failure), signal)).rejects.toBe(failure);
});
