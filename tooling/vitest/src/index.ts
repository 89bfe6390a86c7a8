import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import type { ViteUserConfig } from 'vitest/config';

type TestOptions = NonNullable<ViteUserConfig['test']>;

/** The settings every package's tests share: workspace packages as source, and no console call that nobody expected. */
export function nodeTests(options: TestOptions = {}): ViteUserConfig {
  const conditions = ['@hr/source', 'node', 'import', 'module', 'default'];
  return defineConfig({
    resolve: { conditions },
    ssr: { resolve: { conditions, externalConditions: conditions } },
    test: {
      include: ['test/**/*.test.ts'],
      setupFiles: [fileURLToPath(new URL('./no-console.ts', import.meta.url))],
      reporters: ['default', ['json', { outputFile: 'reports/vitest.json' }]],
      ...options,
    },
  });
}
