import { relative } from 'node:path';
import { NEVER_RELEASED } from 'tooling-release/published-packages';
import { announcedReleases } from './announced-releases.ts';
import type { Kind } from './announced-releases.ts';
import { apiChanges } from './api-changes.ts';
import { apiPackages } from './api-package.ts';
import { apiReports } from './api-reports.ts';
import type { ApiReport } from './api-reports.ts';
import { editedRelease } from './edited-release.ts';
import { modelChanges } from './model-changes.ts';
import { readReport, readReportFile, reportPaths, versionOf } from './report-file.ts';
import { staleReport } from './stale-report.ts';
import { termChanges } from './term-changes.ts';
import { unannouncedChanges } from './unannounced-changes.ts';

/**
 * What is wrong with what the packages of a workspace give to their users, package by package: a report that is not what
 * was built, an export without a word, a change since the last release that no changeset announces, or a release that is
 * told in another way than at its tag.
 *
 * @throws {Error} When a package was not built.
 */
export async function checkApi(workspace: string): Promise<Map<string, string[]>> {
  const reports = await apiReports(await apiPackages(workspace));
  const announced = await announcedReleases(workspace);
  const checked = await Promise.all(
    reports.map(async (report) => {
      const { name } = report.package;
      const faults = [
        ...report.faults,
        await staleness(workspace, report),
        await editedRelease(workspace, report.package),
        await changesSince(workspace, report, announced.get(name) ?? 'none'),
      ];
      return [name, faults.filter((fault) => fault !== undefined)] as const;
    }),
  );
  return new Map(checked);
}

async function staleness(
  workspace: string,
  { package: { name, folder }, text }: ApiReport,
): Promise<string | undefined> {
  const { now } = reportPaths({ folder });
  const place = staleReport((await readReportFile(now)) ?? '', text);
  return place && `${relative(workspace, now)} is not what ${name} is now, ${place}\nWrite it anew: pnpm api:report`;
}

async function changesSince(
  workspace: string,
  { package: { name, version, folder }, text }: ApiReport,
  announced: Kind,
): Promise<string | undefined> {
  const path = reportPaths({ folder }).released;
  const released = await readReportFile(path);
  if (released === undefined && version === NEVER_RELEASED) return undefined;
  if (released === undefined || versionOf(released) !== version) {
    return `${relative(workspace, path)} must say what ${name} ${version} gave to its users: node tooling/api-report/src/record.ts`;
  }
  const before = readReport(released);
  const now = readReport(text);
  const changes = [
    ...termChanges(before, now),
    ...apiChanges(before.sections, now.sections),
    ...modelChanges(before.models, now.models),
  ];
  return unannouncedChanges({ name, released: version, announced }, changes);
}
