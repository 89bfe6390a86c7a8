import { writeFile } from 'node:fs/promises';
import { apiPackages } from './api-package.ts';
import { apiReports } from './api-reports.ts';
import { readReportFile, reportPaths } from './report-file.ts';

/**
 * Writes what each package gives to its users into its report.
 *
 * @returns The names of those whose report was another.
 * @throws {Error} When a package was not built.
 */
export async function writeReports(workspace: string): Promise<string[]> {
  const reports = await apiReports(await apiPackages(workspace));
  const written = await Promise.all(
    reports.map(async ({ package: one, text }) => {
      const { now } = reportPaths(one);
      if ((await readReportFile(now)) === text) return [];
      await writeFile(now, text);
      return [one.name];
    }),
  );
  return written.flat();
}
