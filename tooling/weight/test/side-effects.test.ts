import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bundle } from '../src/bundle.ts';
import { entryPoints } from '../src/published-packages.ts';

test('imports for nothing leave nothing in a bundle', async () => {
  await expect(bundle(entryPoints.map((entryPoint) => `import '${entryPoint}';`).join('\n'))).resolves.toEqual({
    code: expect.stringMatching(/^(export\{\};)?\s*$/),
    parts: [],
  });
});

// Else the packages could not say that their modules have no side effects. A test runner and MSW have some of their own.
test('an import changes nothing that others see, and nothing runs on; zod keeps its settings and registry', async () => {
  const alone = entryPoints.filter((entryPoint) => !/\/(?:msw|pact)$/.test(entryPoint));
  const program = `
    const seen = () => [...Object.getOwnPropertyNames(globalThis), ...process.eventNames()];
    const before = new Set(seen());
    for (const entryPoint of ${JSON.stringify(alone)}) await import(entryPoint);
    process.stdout.write(JSON.stringify(seen().filter((name) => !before.has(name))));
  `;
  const node = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, node, { cwd: new URL('..', import.meta.url) });
  expect(JSON.parse(stdout)).toEqual(['__zod_globalConfig', '__zod_globalRegistry']);
});
