import { fileURLToPath } from 'node:url';
import { command } from './command.ts';
import { rehearse } from './rehearsal/rehearse.ts';

const workspace = fileURLToPath(new URL('../../..', import.meta.url));

// Every step of a release, on a copy of this workspace and a local registry.
await command(async (report) => {
  await rehearse(workspace, report);
});
