import { styleText } from 'node:util';
import { Command, Option } from 'commander';

/** A command of `hr`. */
export class HrCommand extends Command {
  override createCommand(name?: string): HrCommand {
    return new HrCommand(name);
  }

  /** Adds a flag with a choice of values. */
  choice(flag: string, description: string, values: readonly string[]): this {
    return this.addOption(new Option(flag, description).choices(values));
  }

  /** Adds examples to the help: what follows the command. */
  examples(...args: readonly string[]): this {
    return this.addHelpText('after', ({ command }) => {
      const usage = command.createHelp().commandUsage(command);
      const path = usage.replace(/ [<[].*/s, '');
      const lines = args.map((each) => `  $ ${path} ${each}`.trimEnd());
      return `\n${styleText('bold', 'EXAMPLES')}\n${lines.join('\n')}`;
    });
  }
}
