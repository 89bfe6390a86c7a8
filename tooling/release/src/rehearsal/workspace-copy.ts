import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../run.ts';

/** The files of a workspace that git has or would take, in the order of their names. */
async function filesOf(workspace: string): Promise<string[]> {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate', '-z'];
  const listed = await run('git', args, { cwd: workspace });
  const deleted = await run('git', ['ls-files', '--deleted', '-z'], { cwd: workspace });
  const gone = new Set(deleted.split('\0'));
  return listed.split('\0').filter((file) => file !== '' && !gone.has(file));
}

/**
 * Copies a workspace as it is now, changes that are not committed included, as the first commit of a repository of its
 * own, with an empty one beside it to push to, and installs it from what the workspace has installed.
 */
export async function copyWorkspace(workspace: string, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const files = await filesOf(workspace);
  await Promise.all(files.map((file) => cp(join(workspace, file), join(cwd, file), { verbatimSymlinks: true })));
  const install = ['install', '--offline', '--frozen-lockfile', '--ignore-scripts'];
  await run('git', ['init', '--quiet', '--initial-branch', 'main'], { cwd, env });
  await run('git', ['config', 'user.name', 'Rehearsal'], { cwd, env });
  await run('git', ['config', 'user.email', 'rehearsal@example.com'], { cwd, env });
  await run('git', ['config', 'commit.gpgSign', 'false'], { cwd, env });
  await run('git', ['init', '--quiet', '--bare', `${cwd}.git`], { cwd, env });
  await run('git', ['remote', 'add', 'origin', `${cwd}.git`], { cwd, env });
  await run('git', ['add', '--all'], { cwd, env });
  await run('git', ['commit', '--quiet', '--message', 'Start of the rehearsal'], { cwd, env });
  await run(join(workspace, 'node_modules/.bin/pnpm'), install, { cwd, env });
}
