import type { Flag, Place, Values } from './place.ts';

/** Stands for file names among the words that complete a value. */
export const FILES = 'FILES';

/**
 * A function for bash and zsh that takes the next word of the line. Its callers declare what it sets: `at` (the command
 * so far), `arity` and `values` (of the flag before), and `args` (the number of arguments).
 */
export function wordFunction(places: readonly Place[], common: readonly Flag[]): string {
  const cases = [
    ...places.flatMap(({ path, commands }) =>
      commands.map(({ name }) => `${quoted(`${path} ${name}`)}) at=${quoted(`${path} ${name}`)} ;;`),
    ),
    ...places.flatMap(({ path, flags }) =>
      withValue(flags).map(
        (flag) => `${flag.names.map((name) => quoted(`${path} ${name}`)).join('|')}) ${takes(flag)} ;;`,
      ),
    ),
    ...withValue(common).map(
      (flag) => `${flag.names.map((name) => `*${quoted(` ${name}`)}`).join('|')}) ${takes(flag)} ;;`,
    ),
    `*' -'*) ;;`,
    '*) args=$((args + 1)) ;;',
  ];
  return `_hr_word() {
  if [[ $arity == one || ( -n $arity && $1 != -* ) ]]; then
    # bash makes three words of --output=json.
    [[ $1 == '=' || $arity == many ]] || arity=
    return
  fi
  arity=
  case "$at $1" in
${indented(cases, 4)}
  esac
}
`;
}

/** The words that complete a value: `FILES` stands for file names. */
export function wordsOf({ words, areFiles }: Values): string {
  return areFiles ? FILES : words.join(' ');
}

/** The cases of the commands that have subcommands. */
export function commandCases(places: readonly Place[], assign: (commands: Place['commands']) => string): string[] {
  return places
    .filter(({ commands }) => commands.length > 0)
    .map(({ path, commands }) => `${quoted(path)}) ${assign(commands)} ;;`);
}

/** The cases of a command's arguments, by their number. */
export function argumentCases(places: readonly Place[], assign: (values: Values) => string): string[] {
  return places.flatMap(({ path, args }) =>
    args.flatMap((argument, index) => {
      if (argument.words.length === 0 && !argument.areFiles) return [];
      const number = argument.isVariadic ? '*' : `' ${index}'`;
      return [`${quoted(path)}${number}) ${assign(argument)} ;;`];
    }),
  );
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export function indented(lines: readonly string[], width: number): string {
  return lines.map((line) => `${' '.repeat(width)}${line}`).join('\n');
}

/** The flags that take a value. */
export function withValue(flags: readonly Flag[]): readonly Flag[] {
  return flags.filter(({ arity }) => arity !== undefined);
}

function takes({ arity, values }: Flag): string {
  return `arity=${arity} values=${quoted(wordsOf(values))}`;
}
