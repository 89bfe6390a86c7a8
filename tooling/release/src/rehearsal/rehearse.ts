import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../run.ts';
import { ensureEqual } from './ensure.ts';
import { rehearseFirstRelease } from './first-release.ts';
import { rehearseHotfix } from './hotfix-release.ts';
import { rehearseMajorRelease } from './major-release.ts';
import { rehearseMinorRelease } from './minor-release.ts';
import { openStage } from './open-stage.ts';
import type { PrivateRegistry } from './private-registry.ts';
import { rehearseSnapshot } from './snapshot-release.ts';
import type { Stage } from './stage.ts';
import { rehearseUndo } from './undo-release.ts';

/**
 * Rehearses releases on a copy of a workspace, with a registry of its own: nothing leaves this machine, and the
 * workspace stays as it is.
 *
 * @returns The commands that a maintainer typed, and those that workflows ran.
 * @throws {Error} That says which step failed.
 */
export async function rehearse(workspace: string, report: (line: string) => void): Promise<readonly string[]> {
  const before = await stateOf(workspace);
  await using ends = new AsyncDisposableStack();
  const stage = await openStage(workspace, report, ends);
  await play(stage).catch(async (error: unknown) => {
    const warnings = await stage.registry.warnings();
    throw new Error([error, 'The registry said:', ...warnings].map(String).join('\n'), { cause: error });
  });
  await checkRequestsBehind(stage.registry);
  ensureEqual('What has changed in the workspace meanwhile', changed(before, await stateOf(workspace)), []);
  report('Nothing of ours left this machine, and the workspace is as it was');
  return stage.commands;
}

async function play(stage: Stage): Promise<void> {
  const first = await rehearseFirstRelease(stage);
  const minor = await rehearseMinorRelease(stage);
  await rehearseUndo(stage, { good: first['@hr/schemas'], bad: minor['@hr/schemas'] });
  await rehearseMajorRelease(stage);
  await rehearseSnapshot(stage);
  await rehearseHotfix(stage, { broken: minor['@hr/schemas'], client: minor['@hr/client'] });
}

/** Checks that the registry behind was asked for other people's packages, and given nothing. */
async function checkRequestsBehind(registry: PrivateRegistry): Promise<void> {
  const requests = await registry.requestsBehind();
  ensureEqual('What was asked of the registry behind for other packages', requests.length > 0, true);
  const wrong = requests.filter(({ method, url }) => method !== 'GET' || /@hr(\/|%2f)/i.test(url));
  ensureEqual('What the registry behind was given, or asked of ours', wrong, []);
}

/** What a release changes in a workspace, by what it is. */
async function stateOf(cwd: string): Promise<Map<string, string>> {
  const paths = ['.changeset', 'packages/*/package.json', 'packages/*/CHANGELOG.md', 'package.json', 'pnpm-lock.yaml'];
  const listed = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z', ...paths], { cwd });
  const files = listed.split('\0').filter(Boolean);
  const texts = files.map(
    async (file) => [file, await readFile(join(cwd, file), 'utf8').catch(() => 'deleted')] as const,
  );
  const [tags, head] = await Promise.all([run('git', ['tag'], { cwd }), run('git', ['rev-parse', 'HEAD'], { cwd })]);
  return new Map([...(await Promise.all(texts)), ['its tags', tags], ['its commit', head]]);
}

function changed(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name));
}
