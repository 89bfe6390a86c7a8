import { parseArgs } from 'node:util';
import { command } from './command.ts';
import { packagesWithoutChangeset } from './packages-without-changeset.ts';

// Fails when a change to a published package carries no changeset.
await command(async (report) => {
  const { since = 'main' } = parseArgs({ options: { since: { type: 'string' } } }).values;
  const missing = await packagesWithoutChangeset(process.cwd(), since);
  if (missing.length > 0) {
    throw new Error(
      `${missing.join(', ')} changed since ${since} without a changeset. ` +
        'Say what it means for their users: pnpm changeset; or that it means nothing: pnpm changeset add --empty',
    );
  }
  report(`Every published package that changed since ${since} has a changeset.`);
});
