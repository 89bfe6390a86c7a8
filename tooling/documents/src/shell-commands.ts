/** A command of a block `sh`. */
export interface ShellCommand {
  /** Of the block, from 0. */
  readonly line: number;
  readonly words: readonly string[];
}

/** The commands of a script that has no more than lines, comments, quotes, `&&`, `|` and variables before a command. */
export function shellCommands(script: string): ShellCommand[] {
  return script.split('\n').flatMap((text, line) => {
    const words = text.replace(/(^|\s)#.*$/, '').match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
    const commands: string[][] = [[]];
    for (const word of words) {
      if (word === '&&' || word === '|') commands.push([]);
      else commands.at(-1)?.push(word);
    }
    return commands
      .map((command) => command.slice(command.findIndex((word) => !/^\w+=/.test(word))))
      .filter((command) => command.length > 0)
      .map((command) => ({ line, words: command }));
  });
}
