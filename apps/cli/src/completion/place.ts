import type { Argument, Command, Help, Option } from 'commander';

/** How many words a flag takes. A single one may begin with "-". */
type Arity = 'one' | 'optional' | 'many';

/** What completes a value: these words, file names, or nothing. */
export interface Values {
  readonly words: readonly string[];
  readonly areFiles: boolean;
}

export interface Flag {
  /** Such as `-o` and `--output`. */
  readonly names: readonly string[];
  readonly description: string;
  /** Undefined for a flag without a value. */
  readonly arity: Arity | undefined;
  readonly values: Values;
}

/** A command as the words before its arguments, such as `hr persons list`. */
export interface Place {
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  /** Without those of every command. */
  readonly flags: readonly Flag[];
  readonly args: readonly (Values & { readonly isVariadic: boolean })[];
}

/** A command and all below it. */
export function placesOf(command: Command, help: Help, path: string): Place[] {
  const commands = help.visibleCommands(command).filter((inner) => inner.name() !== 'help');
  const place = {
    path,
    commands: commands.map((inner) => ({ name: inner.name(), description: help.subcommandDescription(inner) })),
    flags: command.parent
      ? help
          .visibleOptions(command)
          .filter((option) => option.long !== '--help')
          .map(flagOf)
      : [],
    args: command.registeredArguments.map((argument) => ({ ...valuesOf(argument), isVariadic: argument.variadic })),
  };
  return [place, ...commands.flatMap((inner) => placesOf(inner, help, `${path} ${inner.name()}`))];
}

export function flagOf(option: Option): Flag {
  const { required, optional, variadic, description } = option;
  const arity = variadic ? 'many' : required ? 'one' : optional ? 'optional' : undefined;
  const names = [option.short, option.long].filter((name) => name !== undefined);
  return { names, description, arity, values: valuesOf(option) };
}

/** A value called `file`, or an argument called `paths`, is completed with file names. A `path` is one of the API. */
function valuesOf(of: Argument | Option): Values {
  const name = 'flags' in of ? (/[<[](\w+)/.exec(of.flags)?.[1] ?? '') : of.name();
  return { words: of.argChoices ?? [], areFiles: /^(?:file|paths)$/.test(name) };
}
