import { fileURLToPath } from 'node:url';
import { command } from './command.ts';
import { rehearse } from './rehearsal/rehearse.ts';

const workspace = fileURLToPath(new URL('../../..', import.meta.url));

// A release from its first step to its undoing, on a copy of this workspace and a registry of its own.
await command(async (report) => {
  await rehearse(workspace, report);
});
