import { command } from 'tooling-release/command';
import { checkApi } from './check-api.ts';

// Fails where the test of the reports would: before versions are given, when a changeset can still be added.
await command(async (report) => {
  const checked = await checkApi(process.cwd());
  const faults = [...checked.values()].flat();
  if (faults.length > 0) throw new Error(faults.join('\n\n'));
  report(`The reports of ${[...checked.keys()].join(', ')} are right, and the changesets say what has changed.`);
});
