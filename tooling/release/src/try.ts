import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { command } from './command.ts';
import { openStage } from './rehearsal/open-stage.ts';

const workspace = fileURLToPath(new URL('../../..', import.meta.url));

// Publishes the packages as they are to a local registry, for teams on this machine to install until Ctrl-C.
await command(async (report) => {
  await using ends = new AsyncDisposableStack();
  report('Packs, checks and publishes the packages to a local registry, which takes a minute.');
  const stage = await openStage(workspace, ends);
  await stage.giveVersions();
  await stage.maintainer('pnpm release:publish');
  report(`\nIn the .npmrc of an empty folder:\n\n${stage.signIn}`);
  report('Then, with Node.js 22 or newer, for example: npm install @hr/client @hr/auth');
  report(
    `A fake HR Cloud listens on ${stage.serviceUrl}, for the client demo with the secret demo-secret. Ctrl-C ends both.`,
  );
  await Promise.race(['SIGINT', 'SIGTERM'].map((signal) => once(process, signal)));
});
