import { serviceProgram } from 'service/src/commands/service-program.ts';

/** What is wrong with a call of `pnpm service`. */
export function serviceCommandFault(given: readonly string[]): string | undefined {
  const words = [...given];
  let command = serviceProgram(process);
  let called = 'service';
  while (command.commands.length > 0) {
    const name = words.shift() ?? '';
    called += ` ${name}`;
    const found = command.commands.find((each) => each.name() === name || each.aliases().includes(name));
    if (!found) return `${called}: there is no such command`;
    command = found;
  }
  const unknown = words.find(
    (word) => word.startsWith('-') && !command.options.some((option) => option.long === word || option.short === word),
  );
  return unknown && `${called} has no option ${unknown}`;
}
