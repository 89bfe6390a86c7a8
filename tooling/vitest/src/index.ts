import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig, type ViteUserConfig } from 'vitest/config';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of a service with the made-up company of the demo. All test files share it. */
    readonly demoUrl: string;
  }
}

/** A `globalSetup` that starts the demo of the service for all test files; `inject('demoUrl')` returns its address. */
export const demoSetup = fileURLToPath(new URL('./demo.ts', import.meta.url));

// No test may touch the keychain of a developer.
process.env['HR_KEYCHAIN'] = 'off';
// Processes that tests start load what others have compiled, which halves their start.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../../../node_modules/.cache/node', import.meta.url));

type TestOptions = NonNullable<ViteUserConfig['test']>;

/** The settings every package's tests share: workspace packages as source, and no console call that nobody expected. */
export function nodeTests(options: TestOptions = {}): ViteUserConfig {
  return defineConfig({
    resolve: { conditions: ['@hr/source', 'module', 'node'] },
    ssr: { resolve: { conditions: ['@hr/source', 'module', 'node'], externalConditions: ['@hr/source', 'node'] } },
    test: {
      include: ['test/**/*.test.ts'],
      // A busy machine is no fault of the code; what hangs still ends.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      // The default, a second, is too short on a busy machine.
      expect: { poll: { timeout: 120_000 } },
      setupFiles: [fileURLToPath(new URL('./no-console.ts', import.meta.url))],
      reporters: ['default', ['json', { outputFile: 'reports/vitest.json' }]],
      ...options,
    },
  });
}

/** The settings of a package whose tests make contracts, in its folder `pacts`. */
export function contractTests(options: TestOptions = {}): ViteUserConfig {
  const resolve = { conditions: ['@hr/source', 'node'], externalConditions: ['@hr/source', 'node'] };
  return mergeConfig(nodeTests(options), {
    // What contractFiles() would add; a configuration cannot import what has not been built.
    test: { reporters: ['@hr/testing/pact/vitest'] },
    environments: { __vitest__: { resolve } },
  });
}
