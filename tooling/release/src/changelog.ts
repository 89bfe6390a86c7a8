import type { ChangelogFunctions } from '@changesets/types';

/** What changelogs say: sentences for users. They cannot see our commits, so none is named. */
const changelog: ChangelogFunctions = {
  getReleaseLine({ summary }) {
    const [first = '', ...more] = summary.trim().split('\n');
    return [`- ${first}`, ...more.map((line) => `  ${line}`.trimEnd())].join('\n');
  },
  getDependencyReleaseLine(_changesets, updated) {
    return updated
      .map(({ name, newVersion }) => `- Builds on \`${name}\` ${newVersion}; see its changelog.`)
      .join('\n');
  },
};

// Changesets takes the default export.
// oxlint-disable-next-line import/no-default-export
export default changelog;
