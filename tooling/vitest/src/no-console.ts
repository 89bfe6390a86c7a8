import { afterEach, beforeEach, vi } from 'vitest';

const methods = ['debug', 'error', 'info', 'log', 'warn'] as const;

beforeEach(() => {
  for (const method of methods) vi.spyOn(console, method);
});

// A test that expects output replaces the spy's implementation and clears it when it has looked.
afterEach(() => {
  for (const method of methods) {
    const spy = vi.mocked(console[method]);
    if (!vi.isMockFunction(spy)) continue;
    const calls = spy.mock.calls.length;
    spy.mockRestore();
    if (calls > 0) throw new Error(`console.${method} was called ${calls} times and no test expected it`);
  }
});
