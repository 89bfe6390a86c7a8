import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { apiPackages } from '../src/api-package.ts';
import { checkApi } from '../src/check-api.ts';

const workspace = fileURLToPath(new URL('../../..', import.meta.url));
const packages = await apiPackages(workspace);
const faults = await checkApi(workspace);

/** Fails with sentences for whoever changed a package, and nothing around them. */
function expectNone(found: readonly string[] = ['It has no report.']): void {
  if (found.length > 0) throw new Error(found.join('\n\n'));
}

test.each(packages)('the API of $name is reported, and its changes are announced', ({ name }) => {
  expectNone(faults.get(name));
});
