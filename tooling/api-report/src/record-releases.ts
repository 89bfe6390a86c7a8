import { writeFile } from 'node:fs/promises';
import { NEVER_RELEASED } from 'tooling-release/published-packages';
import { apiPackages } from './api-package.ts';
import type { ApiPackage } from './api-package.ts';
import { readReportFile, reportPaths, versionOf, withVersion } from './report-file.ts';

/**
 * Keeps the report of each package that has got a new version as that of its release, to compare later changes with.
 *
 * @returns What is recorded now, such as `@hr/auth@1.2.0`.
 * @throws {Error} When a package has no report.
 */
export async function recordReleases(workspace: string): Promise<string[]> {
  const recorded = await Promise.all((await apiPackages(workspace)).map(record));
  return recorded.flat();
}

async function record(one: ApiPackage): Promise<string[]> {
  const { name, version } = one;
  const { now, released } = reportPaths(one);
  const [text, before] = await Promise.all([readReportFile(now), readReportFile(released)]);
  if (version === NEVER_RELEASED || versionOf(before ?? '') === version) return [];
  if (text === undefined) throw new Error(`${name} has no report: pnpm api:report`);
  await writeFile(released, withVersion(text, version));
  return [`${name}@${version}`];
}
