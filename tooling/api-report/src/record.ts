import { command } from 'tooling-release/command';
import { recordReleases } from './record-releases.ts';

// Keeps what is released now as what later changes are compared with.
await command(async (report) => {
  for (const release of await recordReleases(process.cwd())) report(`The API of ${release} is recorded`);
});
