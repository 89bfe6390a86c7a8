import { command } from './command.ts';
import { FOLDER, pack } from './pack.ts';
import { run } from './run.ts';

// The steps of the workflows, one after the other, on this machine.
await command(async (report) => {
  const cwd = process.cwd();
  // They say which versions are released, as in the checkout of the workflow.
  await run('git', ['fetch', '--quiet', '--tags', 'origin'], { cwd });
  const { list: RELEASE, tag: TAG, snapshot } = await pack(cwd, report);
  if (RELEASE === '') return;
  const env = { ...process.env, RELEASE, TAG };
  report((await run('.ci/publish.mjs', [FOLDER], { cwd, env })).trimEnd());
  if (snapshot === undefined) report((await run('.ci/tag', [], { cwd, env })).trimEnd());
});
