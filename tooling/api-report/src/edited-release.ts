import { relative } from 'node:path';
import { attempt } from 'tooling-release/run';
import type { ApiPackage } from './api-package.ts';
import { readReportFile, reportPaths } from './report-file.ts';

/** That the report of a release is another than at its tag, so that it would hide a change; nothing without a tag. */
export async function editedRelease(workspace: string, one: ApiPackage): Promise<string | undefined> {
  const { released } = reportPaths(one);
  const path = relative(workspace, released);
  const tag = `${one.name}@${one.version}`;
  const tagged = await attempt('git', ['show', `refs/tags/${tag}:${path}`], { cwd: workspace });
  if (!tagged.succeeded || tagged.stdout === (await readReportFile(released))) return undefined;
  return `${path} is not what it was when ${tag} was released. Put it back: git restore --source ${tag} ${path}`;
}
