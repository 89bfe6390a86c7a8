import type { Command } from 'commander';
import { bashScript } from './bash-script.ts';
import { fishScript } from './fish-script.ts';
import { flagOf, placesOf, type Flag, type Place } from './place.ts';
import { zshScript } from './zsh-script.ts';

/** A shell with completion. */
export type Shell = 'bash' | 'zsh' | 'fish';

const scripts: Readonly<Record<Shell, (places: readonly Place[], common: readonly Flag[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** A script that completes commands, flags, their values and file names. It starts no process. */
export function completionScript(program: Command, shell: Shell): string {
  const help = program.createHelp();
  const common = help.visibleOptions(program).map(flagOf);
  const places = placesOf(program, help, program.name());
  return scripts[shell](places, common);
}
