import { Command, Option, type Help } from 'commander';

const INDENT = '  ';

/** A command of `hr`. */
export class HrCommand extends Command {
  readonly #examples: string[] = [];

  override createCommand(name?: string): HrCommand {
    return new HrCommand(name);
  }

  /** Adds a command below this one. */
  subcommand(usage: string, description: string): HrCommand {
    return this.command(usage).description(description);
  }

  /** Adds a flag with a choice of values. */
  choice(flag: string, description: string, values: readonly string[]): this {
    return this.addOption(new Option(flag, description).choices(values));
  }

  /** Adds examples to the help: what follows the command. */
  examples(...args: readonly string[]): this {
    this.#examples.push(...args);
    return this;
  }

  /** Its help: what it does, then usage, subcommands, flags and examples under headings of their own. */
  formatHelp(helper: Help): string {
    const width = helper.padWidth(this, helper);
    const list = <Item>(items: readonly Item[], parts: (item: Item) => readonly [term: string, description: string]) =>
      items.map((item) => helper.formatItem(parts(item)[0], width, parts(item)[1], helper)).join('\n');
    const flags = (options: ReturnType<Help['visibleOptions']>): string =>
      list(options, (option) => [helper.optionTerm(option), helper.optionDescription(option)]);
    const subcommands = helper.visibleCommands(this).filter((command) => command.name() !== 'help');
    const usage = helper.commandUsage(this);
    const path = usage.replace(/ [<[].*/s, '');
    const sections: readonly (readonly [heading: string, body: string])[] = [
      ['USAGE', INDENT + usage.replace('[options]', '[flags]').replace('[command]', '<command>')],
      [
        'ARGUMENTS',
        list(helper.visibleArguments(this), (argument) => [argument.name(), helper.argumentDescription(argument)]),
      ],
      ['COMMANDS', list(subcommands, (command) => [command.name(), command.description()])],
      ['FLAGS', flags(helper.visibleOptions(this))],
      ['GLOBAL FLAGS', flags(helper.visibleGlobalOptions(this))],
      ['EXAMPLES', this.#examples.map((args) => `${INDENT}$ ${path} ${args}`.trimEnd()).join('\n')],
    ];
    const shown = sections.filter(([, body]) => body.trim() !== '');
    const description = helper.boxWrap(helper.commandDescription(this), helper.helpWidth ?? 80);
    return `${[description, ...shown.map(([heading, body]) => `${helper.styleTitle(heading)}\n${body}`)].join('\n\n')}\n`;
  }
}
