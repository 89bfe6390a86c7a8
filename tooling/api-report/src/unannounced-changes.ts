import { isEnough } from './announced-releases.ts';
import type { Kind } from './announced-releases.ts';
import type { ApiChange } from './api-changes.ts';

const meaning = {
  major: 'so that programs of its users may not compile or run any more, or mean something else',
  minor: 'so that its users can do more',
  patch: 'so that other versions are installed along with it',
};

/** What has changed for users of a package though no changeset says so; nothing where one does. */
export function unannouncedChanges(
  { name, released, announced }: { name: string; released: string; announced: Kind },
  changes: readonly ApiChange[],
): string | undefined {
  const needed = (['major', 'minor', 'patch'] as const).find((kind) => changes.some(({ needs }) => needs === kind));
  if (!needed || isEnough(announced, needed)) return undefined;
  return [
    `The API of ${name} has changed since ${released}, ${meaning[needed]}, and no changeset says ${needed}:`,
    ...changes.filter(({ needs }) => needs === needed).map(describe),
    'Undo it, or say it to them:',
    `  pnpm changeset add --${needed} ${name} --message "…"`,
  ].join('\n');
}

function describe({ specifier, name, what, lines }: ApiChange): string {
  const subject = name === undefined ? `the entry point ${specifier}` : `${name} of ${specifier}`;
  const words = { removed: 'is removed', changed: 'has changed', new: 'is new' };
  return [`  ${subject} ${words[what]}`, ...lines.map((line) => `    ${line}`)].join('\n');
}
