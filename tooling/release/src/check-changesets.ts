import { parseArgs } from 'node:util';
import { command } from './command.ts';
import { packagesWithoutChangeset } from './packages-without-changeset.ts';
import { undecidedDependents } from './undecided-dependents.ts';

// Fails when a change to a published package carries no changeset, or a breaking one does not say what it breaks.
await command(async (report) => {
  const { since = 'main' } = parseArgs({ options: { since: { type: 'string' } } }).values;
  const missing = (await packagesWithoutChangeset(process.cwd(), since)).join(', ');
  if (missing !== '') {
    throw new Error(
      `${missing} changed since ${since} without a changeset. Say what it means for their users: pnpm changeset; ` +
        `or that it means nothing, and why: pnpm changeset add --empty --message "${missing}: …"`,
    );
  }
  const [undecided] = await undecidedDependents(process.cwd());
  if (undecided) {
    const { name, dependency, changeset } = undecided;
    throw new Error(
      `${dependency} has a breaking change, and ${name} builds on it. Say in the same changeset, ` +
        `.changeset/${changeset}.md, what that is for the users of ${name}: major where they notice, else patch.`,
    );
  }
  report(`Every published package that changed since ${since} has a changeset.`);
});
