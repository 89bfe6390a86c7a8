import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { command } from './command.ts';
import { giveVersions } from './rehearsal/give-versions.ts';
import { npmrcFor, openStage } from './rehearsal/open-stage.ts';
import { releaseByHand } from './rehearsal/release.ts';

const workspace = fileURLToPath(new URL('../../..', import.meta.url));

// Publishes the packages as they are to a registry of its own, and lets teams on this machine install them until Ctrl-C.
await command(async (report) => {
  await using ends = new AsyncDisposableStack();
  const stage = await openStage(workspace, report, ends);
  await giveVersions(stage);
  await releaseByHand(stage);
  const { url, tokens } = stage.registry;
  report(`\nIn the .npmrc of an empty folder:\n\n${npmrcFor(url, tokens.reader)}`);
  report(
    `Then, for example: npm install @hr/client @hr/auth\nThe HR Cloud is on ${stage.serviceUrl}. Ctrl-C ends all of it.`,
  );
  await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
});
