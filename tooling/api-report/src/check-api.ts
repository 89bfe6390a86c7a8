import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { readChangesets } from '@changesets/read';
import { diffLines } from 'diff';
import { diff } from 'semver';
import { CATALOG_FILE } from 'tooling-release/catalog';
import { reachable } from './api.ts';
import type { Api } from './api.ts';
import { apiIn, apiReports, modelsIn } from './api-report.ts';
import type { ApiReport } from './api-report.ts';
import { brokenUses } from './broken-uses.ts';
import type { BrokenUse, Compared } from './broken-uses.ts';
import { lastRelease } from './last-release.ts';
import type { LastRelease } from './last-release.ts';
import { manifestChanges } from './manifest-changes.ts';

export interface CheckedApi {
  /** What is wrong with each package. */
  readonly faults: ReadonlyMap<string, readonly string[]>;
  /** The packages without a release to compare with. */
  readonly unreleased: readonly string[];
}

/** A report and the one of the last release. */
interface Candidate extends Compared {
  readonly report: ApiReport;
  readonly released: string;
  readonly release: LastRelease | undefined;
}

const MAX_SHOWN_USES = 5;

/**
 * Checks that the report of each package is current, that its exports have comments, and that changesets announce what
 * has changed since its last release.
 *
 * @throws {Error} When a package is not built, or when the clone lacks the tags of releases.
 */
export async function checkApi(workspace: string): Promise<CheckedApi> {
  const reports = await apiReports(workspace);
  const candidates = await Promise.all(reports.map((report) => candidateOf(workspace, report)));
  const isSame = candidates.every(({ report, released }) => report.text === released);
  const broken = isSame ? [] : await brokenUses(candidates);
  const changesets = (await readChangesets(workspace)).flatMap(({ releases }) => releases);
  const checked = candidates.map(async (candidate) => {
    const { name, report, release } = candidate;
    const faults = [...report.faults, ...(await staleness(workspace, report))];
    if (!release) return [name, faults] as const;
    const announced = changesets.filter((one) => one.name === name).map(({ type }) => type);
    const kinds = new Set([...announced, diff(release.version, report.version)]);
    const breaking = await breakingChanges(
      workspace,
      { ...candidate, release },
      broken.filter((use) => use.package === name),
    );
    if (breaking.length > 0) {
      if (!kinds.has('major')) faults.push(unannounced(candidate, 'major', breaking));
    } else if (candidate.released !== report.text && !kinds.has('major') && !kinds.has('minor')) {
      faults.push(unannounced(candidate, 'minor', changedLines(candidate.before, candidate.now)));
    }
    return [name, faults] as const;
  });
  const unreleased = candidates.filter(({ release }) => !release).map(({ name }) => name);
  return { faults: new Map(await Promise.all(checked)), unreleased };
}

async function candidateOf(workspace: string, report: ApiReport): Promise<Candidate> {
  const { name, folder, text } = report;
  const release = await lastRelease(workspace, name, report.version);
  const released = (await release?.read(join(folder, 'api.md'))) ?? text;
  const readme = (await release?.read(join(folder, 'README.md'))) ?? '';
  return { name, folder, report, release, released, readme, before: apiIn(released), now: apiIn(text) };
}

async function staleness(workspace: string, { name, folder, text }: ApiReport): Promise<string[]> {
  const path = join(folder, 'api.md');
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (kept === text) return [];
  const lines = linesOf(kept, text).slice(0, MAX_SHOWN_USES);
  return [
    [`${relative(workspace, path)} is not the API of ${name}:`, ...lines, 'Update it: pnpm api:report'].join('\n'),
  ];
}

/** What can break programs or installations of users, as lines for a maintainer. */
async function breakingChanges(
  workspace: string,
  { report, release, released, before, now }: Candidate & { readonly release: LastRelease },
  uses: readonly BrokenUse[],
): Promise<string[]> {
  const judged = uses.flatMap((use) => {
    if (use.reason !== undefined) return [use];
    // The compiler cannot compare these types, so that each line counts.
    const lines = use.of ? changedLines(before, now, reachable([use.of.local], before)) : [];
    return lines.some((line) => line.trim().startsWith('-'))
      ? [{ ...use, reason: 'its types cannot be compared' }]
      : [];
  });
  const reasons = new Map(judged.map(({ place, reason }) => [place, `    ${place}: ${reason}`]));
  const shown = [...reasons.values()].slice(0, MAX_SHOWN_USES);
  if (reasons.size > shown.length) shown.push(`    and ${reasons.size - shown.length} more`);
  const used = judged.flatMap(({ of }) => of ?? []);
  const names = reachable(
    used.map(({ local }) => local),
    before,
  );
  for (const { namespace } of used) names.add(namespace);
  const accepted = modelsIn(report.text);
  const models = Array.from(modelsIn(released)).filter(([field, old]) => (accepted.get(field) ?? old) !== old);
  const manifest = join(report.folder, 'package.json');
  const terms = manifestChanges(
    [await release.read(manifest), await release.read(join(workspace, CATALOG_FILE))],
    [await readFile(manifest, 'utf8'), await readFile(join(workspace, CATALOG_FILE), 'utf8')],
    before.code,
  );
  return [
    ...changedLines(before, now, names),
    ...(shown.length > 0 ? ['  These uses no longer compile:', ...shown] : []),
    ...models.flatMap(([field, old]) => [`  values of ${field}`, `    - ${old}`, `    + ${accepted.get(field)}`]),
    ...terms.map((term) => `  package.json: ${term}`),
  ];
}

function unannounced({ name, release }: Candidate, kind: 'major' | 'minor', lines: readonly string[]): string {
  const meaning = { major: 'and can break programs of its users', minor: 'and lets its users do more' }[kind];
  return [
    `The API of ${name} has changed since ${release?.version} ${meaning}, but no changeset says ${kind}:`,
    ...lines,
    'Undo the change, or announce it:',
    `  pnpm changeset add --${kind} ${name} --message "…"`,
  ].join('\n');
}

/** The declarations that have changed, each with its removed and new lines. */
function changedLines(before: Api, now: Api, names?: ReadonlySet<string>): string[] {
  const all = new Set([...before.entities.keys(), ...now.entities.keys()]);
  return [...all]
    .filter((name) => names?.has(name) ?? true)
    .flatMap((name) => {
      const [old, fresh] = [before, now].map(({ entities }) => entities.get(name)?.text);
      const lines = linesOf(old, fresh);
      return lines.length > 0
        ? [`  ${name}${old === undefined ? ' is new' : fresh === undefined ? ' is removed' : ''}`, ...lines]
        : [];
    });
}

function linesOf(before = '', now = ''): string[] {
  return diffLines(`${before}\n`, `${now}\n`, { ignoreWhitespace: true })
    .filter(({ added, removed }) => added || removed)
    .flatMap(({ added, value }) =>
      value
        .trim()
        .split('\n')
        .map((line) => `    ${added ? '+' : '-'} ${line.trim()}`),
    )
    .filter((line) => line.trim().length > 1);
}
