import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from 'tooling-release/command';
import { apiReports } from './api-report.ts';
import { checkApi } from './check-api.ts';

// With `report`, writes the report of each package, as it was built, into its api.md. Otherwise it fails as the test of
// the packages does, before versions are given, when a changeset can still be added.
await command(async (report) => {
  if (process.argv[2] === 'report') {
    const reports = await apiReports(process.cwd());
    await Promise.all(reports.map(({ folder, text }) => writeFile(join(folder, 'api.md'), text)));
    return report(`Wrote api.md of ${reports.map(({ name }) => name).join(', ')}`);
  }
  const packages = await checkApi(process.cwd());
  for (const { name, release } of packages)
    if (!release) report(`${name} has no tag of a release, so its API is not compared.`);
  const faults = packages.flatMap((one) => one.faults);
  if (faults.length > 0) throw new Error(faults.join('\n\n'));
  report(
    `The reports of ${packages.map(({ name }) => name).join(', ')} are current, and changesets announce all changes.`,
  );
});
