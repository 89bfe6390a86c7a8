import { ensureEqual } from './ensure.ts';
import type { Stage } from './stage.ts';

/** A release that was a mistake is taken back without removing what somebody may have installed. */
export async function rehearseUndo(
  { team, report, maintainer }: Stage,
  { good, bad }: { readonly good: string; readonly bad: string },
): Promise<void> {
  report('A release that was a mistake');
  await maintainer(`npm dist-tag add @hr/schemas@${good} latest`);
  await maintainer(`npm deprecate @hr/schemas@${bad} "It has a mistake: take ${good}"`);
  const { versions } = await team.install('@hr/client');
  ensureEqual('The version of @hr/schemas that the client gets', versions['@hr/schemas'], good);
  report(`  ${bad} is not installed any more, but ${good}`);
}
