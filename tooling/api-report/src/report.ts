import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from 'tooling-release/command';
import { apiReports } from './api-report.ts';

// Writes the report of each package, as it was built, into its api.md.
await command(async (report) => {
  const reports = await apiReports(process.cwd());
  await Promise.all(reports.map(({ folder, text }) => writeFile(join(folder, 'api.md'), text)));
  report(`Wrote api.md of ${reports.map(({ name }) => name).join(', ')}`);
});
