import type { Command, Help } from 'commander';

const INDENT = '  ';

/** The help of a command: what it does, then usage, subcommands and flags under headings of their own. */
export function formatHelp(command: Command, helper: Help): string {
  const width = helper.padWidth(command, helper);
  const list = (items: readonly (readonly [term: string, description: string])[]): string =>
    items.map(([term, description]) => helper.formatItem(term, width, description, helper)).join('\n');
  const flags = (options: ReturnType<Help['visibleOptions']>): string =>
    list(options.map((option) => [helper.optionTerm(option), helper.optionDescription(option)]));
  const sections: readonly (readonly [heading: string, body: string])[] = [
    ['USAGE', INDENT + helper.commandUsage(command).replace('[options]', '[flags]').replace('[command]', '<command>')],
    [
      'ARGUMENTS',
      list(
        helper
          .visibleArguments(command)
          .map((argument) => [helper.argumentTerm(argument), helper.argumentDescription(argument)]),
      ),
    ],
    [
      'COMMANDS',
      list(
        helper
          .visibleCommands(command)
          .filter((subcommand) => subcommand.name() !== 'help')
          .map((subcommand) => [subcommand.name(), helper.subcommandDescription(subcommand)]),
      ),
    ],
    ['FLAGS', flags(helper.visibleOptions(command))],
    ['GLOBAL FLAGS', flags(helper.visibleGlobalOptions(command))],
  ];
  const shown = sections.filter(([, body]) => body.trim() !== '');
  const description = helper.boxWrap(helper.commandDescription(command), helper.helpWidth ?? 80);
  return `${[description, ...shown.map(([heading, body]) => `${helper.styleTitle(heading)}\n${body}`)].join('\n\n')}\n`;
}
