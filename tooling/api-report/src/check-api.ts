import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { readChangesets } from '@changesets/read';
import { diffLines } from 'diff';
import { diff } from 'semver';
import { CATALOG_FILE } from 'tooling-release/catalog';
import { run } from 'tooling-release/run';
import { reachable } from './api.ts';
import { apiIn, apiReports, modelsIn } from './api-report.ts';
import type { ApiReport } from './api-report.ts';
import { brokenUses } from './broken-uses.ts';
import type { BrokenUse, Compared } from './broken-uses.ts';
import { lastRelease, readObjects } from './last-release.ts';
import type { LastRelease } from './last-release.ts';
import { manifestChanges } from './manifest-changes.ts';

export interface CheckedApi {
  /** What is wrong with each package. */
  readonly faults: ReadonlyMap<string, readonly string[]>;
  /** The packages without a release to compare with. */
  readonly unreleased: readonly string[];
}

interface Candidate extends ApiReport, Compared {
  readonly release: LastRelease | undefined;
  /** The report of the release. */
  readonly released: string;
  /** The package.json and the catalog of the release. */
  readonly terms: readonly [manifest: string, catalog: string];
}

const MAX_SHOWN = 5;
const MEANING = { major: 'and can break programs of its users', minor: 'and lets its users do more' };

/**
 * Checks that the report of each package is current, that its exports have comments, and that changesets announce what
 * has changed since its last release.
 *
 * @throws {Error} When a package is not built, or when the clone lacks the tags of releases.
 */
export async function checkApi(workspace: string): Promise<CheckedApi> {
  const reports = await apiReports(workspace);
  const candidates = await candidatesOf(workspace, reports);
  const isSame = candidates.every(({ text, released }) => text === released);
  const broken = isSame ? [] : await brokenUses(candidates);
  const changesets = (await readChangesets(workspace)).flatMap(({ releases }) => releases);
  const faults = candidates.map(async (one) => {
    const announced = changesets.filter(({ name }) => name === one.name).map(({ type }) => type);
    const uses = broken.filter((use) => use.package === one.name);
    const changed = await unannounced(workspace, one, { announced, uses });
    return [one.name, [...one.faults, ...(await staleness(workspace, one)), ...changed]] as const;
  });
  const unreleased = candidates.filter(({ release }) => !release).map(({ name }) => name);
  return { faults: new Map(await Promise.all(faults)), unreleased };
}

async function candidatesOf(workspace: string, reports: readonly ApiReport[]): Promise<Candidate[]> {
  const tags = (await run('git', ['tag', '--list'], { cwd: workspace })).split('\n');
  const releases = await Promise.all(reports.map((report) => lastRelease(workspace, report, tags)));
  const pathsOf = ({ folder }: ApiReport, index: number): string[] => {
    const own = ['api.md', 'README.md', 'package.json'].map((file) => `${relative(workspace, folder)}/${file}`);
    return [...own, CATALOG_FILE].map((path) => `${releases[index]?.tag}:${path}`);
  };
  const names = reports.flatMap((report, index) => (releases[index] ? pathsOf(report, index) : []));
  const texts = await readObjects(workspace, names);
  return reports.map((report, index) => {
    const [released = report.text, readme = '', manifest = '', catalog = ''] = pathsOf(report, index).map((path) =>
      texts.get(path),
    );
    const [before, now] = [apiIn(released), apiIn(report.text)];
    return { ...report, release: releases[index], released, readme, terms: [manifest, catalog], before, now };
  });
}

async function staleness(workspace: string, { name, folder, text }: ApiReport): Promise<string[]> {
  const path = join(folder, 'api.md');
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (kept === text) return [];
  const lines = linesOf(kept, text).slice(0, MAX_SHOWN).join('\n');
  return [`${relative(workspace, path)} is not the API of ${name}:\n${lines}\nUpdate it: pnpm api:report`];
}

async function unannounced(
  workspace: string,
  one: Candidate,
  { announced, uses }: { readonly announced: readonly string[]; readonly uses: readonly BrokenUse[] },
): Promise<string[]> {
  const { name, version, release, released, text } = one;
  if (!release) return [];
  const breaking = [...brokenLines(one, uses), ...modelChanges(released, text), ...(await termChanges(workspace, one))];
  const needed = breaking.length > 0 ? 'major' : 'minor';
  const kinds = new Set([...announced, diff(release.version, version)]);
  if ((needed === 'minor' && released === text) || kinds.has('major') || kinds.has(needed)) return [];
  return [
    [
      `The API of ${name} has changed since ${release.version} ${MEANING[needed]}, but no changeset says ${needed}:`,
      ...(needed === 'major' ? breaking : changedLines(one)),
      'Undo the change, or announce it:',
      `  pnpm changeset add --${needed} ${name} --message "…"`,
    ].join('\n'),
  ];
}

/** The declarations that uses depend on and that have changed, and the uses. */
function brokenLines(one: Candidate, uses: readonly BrokenUse[]): string[] {
  const dependsOn = (used: readonly BrokenUse[]): Set<string> => {
    const exported = used.flatMap(({ of }) => of ?? []);
    const locals = exported.map(({ local }) => local);
    return new Set([...reachable(locals, one.before), ...exported.map(({ namespace }) => namespace)]);
  };
  const judged = uses.filter(
    // Each line of a type counts that the compiler cannot compare even with itself.
    (use) => use.reason !== undefined || changedLines(one, dependsOn([use])).some((line) => line.startsWith('    -')),
  );
  if (judged.length === 0) return [];
  const reasons = new Map(
    judged.map(({ place, reason }) => [place, `    ${place}: ${reason ?? 'cannot be compared'}`]),
  );
  return [
    ...changedLines(one, dependsOn(judged)),
    '  These uses no longer compile:',
    ...[...reasons.values()].slice(0, MAX_SHOWN),
    ...(reasons.size > MAX_SHOWN ? [`    and ${reasons.size - MAX_SHOWN} more`] : []),
  ];
}

/** A field that is new or removed is a change of a type. */
function modelChanges(released: string, text: string): string[] {
  const now = modelsIn(text);
  const changed = Array.from(modelsIn(released)).filter(([field, old]) => (now.get(field) ?? old) !== old);
  return changed.flatMap(([field, old]) => [`  values of ${field}`, `    - ${old}`, `    + ${now.get(field)}`]);
}

async function termChanges(workspace: string, { folder, terms, before }: Candidate): Promise<string[]> {
  const paths = [join(folder, 'package.json'), join(workspace, CATALOG_FILE)];
  const [manifest = '', catalog = ''] = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
  const changes = manifestChanges(terms, [manifest, catalog], before.code);
  return changes.map((change) => `  package.json: ${change}`);
}

/** The declarations that have changed, each with its removed and new lines. */
function changedLines({ before, now }: Candidate, names?: ReadonlySet<string>): string[] {
  const all = new Set([...before.entities.keys(), ...now.entities.keys()]);
  return [...all].flatMap((name) => {
    if (names?.has(name) === false) return [];
    const [old, fresh] = [before, now].map(({ entities }) => entities.get(name)?.text);
    const what = old === undefined ? ' is new' : fresh === undefined ? ' is removed' : '';
    return old === fresh ? [] : [`  ${name}${what}`, ...linesOf(old, fresh)];
  });
}

function linesOf(before = '', now = ''): string[] {
  const parts = diffLines(`${before}\n`, `${now}\n`, { ignoreWhitespace: true });
  return parts.flatMap(({ added, removed, value }) => {
    const lines = added || removed ? value.split('\n').filter((line) => line.trim() !== '') : [];
    return lines.map((line) => `    ${added ? '+' : '-'} ${line.trim()}`);
  });
}
