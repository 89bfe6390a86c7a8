import { command } from 'tooling-release/command';
import { checkApi } from './check-api.ts';

// Fails as the test of the packages does, before versions are given, when a changeset can still be added.
await command(async (report) => {
  const { faults, unreleased } = await checkApi(process.cwd());
  for (const name of unreleased) report(`${name} has no tag of a release, so its API is not compared.`);
  const found = [...faults.values()].flat();
  if (found.length > 0) throw new Error(found.join('\n\n'));
  report(`The reports of ${[...faults.keys()].join(', ')} are current, and changesets announce all changes.`);
});
