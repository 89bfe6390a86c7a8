import { command } from 'tooling-release/command';
import { writeReports } from './write-reports.ts';

// Writes what each package gives to its users, as it was built, into its api.md.
await command(async (report) => {
  const written = await writeReports(process.cwd());
  report(written.length > 0 ? `Written: ${written.join(', ')}` : 'Every report is as it was.');
});
