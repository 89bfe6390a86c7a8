import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { readChangesets } from '@changesets/read';
import { diffLines } from 'diff';
import { diff } from 'semver';
import { apiReports } from './api-report.ts';
import { brokenUses, type BrokenUse } from './broken-uses.ts';
import { withLastRelease, type Compared } from './last-release.ts';
import { isBreaking } from './terms.ts';

const MAX_SHOWN = 5;
const MEANING = { major: 'and can break programs of its users', minor: 'and lets its users do more' };

/**
 * Checks that the report of each package is current, that its exports have comments, and that changesets announce what
 * has changed since its last release.
 *
 * @returns For each package what is wrong, and its last release.
 * @throws {Error} When a package is not built, or when the clone lacks the tags of releases.
 */
export async function checkApi(workspace: string): Promise<Pick<Compared, 'name' | 'release' | 'faults'>[]> {
  const reports = await apiReports(workspace);
  const packages = await Promise.all(reports.map((report) => withLastRelease(workspace, report)));
  const isSame = packages.every(({ before, now }) => before.code === now.code);
  const broken = isSame ? [] : await brokenUses(packages);
  const changesets = (await readChangesets(workspace)).flatMap(({ releases }) => releases);
  return Promise.all(
    packages.map(async (one) => {
      const { name, release, faults } = one;
      const announced = changesets.filter((changeset) => changeset.name === name).map(({ type }) => type);
      const uses = broken.filter((use) => use.package === name);
      const changes = release ? unannounced(one, announced, uses) : [];
      return { name, release, faults: [...faults, ...(await staleness(workspace, one)), ...changes] };
    }),
  );
}

async function staleness(workspace: string, { name, folder, text }: Compared): Promise<string[]> {
  const path = join(folder, 'api.md');
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (kept === text) return [];
  const lines = linesOf(kept, text).slice(0, MAX_SHOWN).join('\n');
  return [`${relative(workspace, path)} is not the API of ${name}:\n${lines}\nUpdate it: pnpm api:report`];
}

function unannounced(one: Compared, announced: readonly string[], uses: readonly BrokenUse[]): string[] {
  const { name, version, release = version, before, now } = one;
  // Each line of a type counts that the compiler cannot compare even with itself.
  const broken = uses.filter((use) => use.reason || /^ {4}-/m.test(changesOf(one, new Set(use.names))));
  const brokenTerms = [...before.entities.keys(), ...now.entities.keys()].filter((term) =>
    isBreaking(term, before.entities.get(term)?.text, now.entities.get(term)?.text),
  );
  const needed = broken.length > 0 || brokenTerms.length > 0 ? 'major' : 'minor';
  const kinds = new Set([...announced, diff(release, version)]);
  if ((needed === 'minor' && before.code === now.code) || kinds.has('major') || kinds.has(needed)) return [];
  const names = new Set([...broken.flatMap((use) => use.names), ...brokenTerms]);
  return [
    `The API of ${name} has changed since ${release} ${MEANING[needed]}, but no changeset says ${needed}:
${changesOf(one, needed === 'major' ? names : undefined)}${reasonsOf(broken)}Undo the change, or announce it:
  pnpm changeset add --${needed} ${name} --message "…"`,
  ];
}

function reasonsOf(broken: readonly BrokenUse[]): string {
  if (broken.length === 0) return '';
  const places = Object.entries(Object.groupBy(broken, ({ place }) => place));
  const lines = places.map(([place, uses]) => `    ${place}: ${uses?.[0]?.reason ?? 'cannot be compared'}`);
  const more = lines.length > MAX_SHOWN ? [`    and ${lines.length - MAX_SHOWN} more`] : [];
  return ['  These uses no longer compile:', ...lines.slice(0, MAX_SHOWN), ...more, ''].join('\n');
}

/** What has changed of some declarations and terms, or of all: each with its removed and new lines. */
function changesOf({ before, now }: Compared, names?: ReadonlySet<string>): string {
  const all = new Set([...before.entities.keys(), ...now.entities.keys()]);
  const lines = [...all].flatMap((name) => {
    const [old, fresh] = [before, now].map(({ entities }) => entities.get(name)?.text);
    if (old === fresh || names?.has(name) === false) return [];
    const what = old === undefined ? ' is new' : fresh === undefined ? ' is removed' : '';
    return [`  ${name}${what}`, ...linesOf(old, fresh)];
  });
  return lines.map((line) => `${line}\n`).join('');
}

function linesOf(before = '', now = ''): string[] {
  const parts = diffLines(`${before}\n`, `${now}\n`, { ignoreWhitespace: true });
  return parts.flatMap(({ added, removed, value }) => {
    const lines = added || removed ? value.split('\n').filter((line) => line.trim() !== '') : [];
    return lines.map((line) => `    ${added ? '+' : '-'} ${line.trim()}`);
  });
}
