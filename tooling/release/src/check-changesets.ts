import { parseArgs } from 'node:util';
import { command } from './command.ts';
import { packagesWithoutChangeset } from './packages-without-changeset.ts';
import { undecidedDependents } from './undecided-dependents.ts';

// Fails when a change to a published package carries no changeset, or a breaking one does not say what it breaks.
await command(async (report) => {
  const { since = 'main' } = parseArgs({ options: { since: { type: 'string' } } }).values;
  const missing = await packagesWithoutChangeset(process.cwd(), since);
  if (missing.length > 0) {
    throw new Error(
      `${missing.join(', ')} changed since ${since} without a changeset. ` +
        'Say what it means for their users: pnpm changeset; or that it means nothing: pnpm changeset add --empty',
    );
  }
  const [undecided] = await undecidedDependents(process.cwd());
  if (undecided) {
    const { name, dependency } = undecided;
    throw new Error(
      `${dependency} has a breaking change, and ${name} builds on it. ` +
        `Decide what that is for the users of ${name}: pnpm changeset add --major ${name} where they notice, else --patch`,
    );
  }
  report(`Every published package that changed since ${since} has a changeset.`);
});
