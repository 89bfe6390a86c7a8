import type { Argument, Command, Help, Option } from 'commander';

/** A shell with completion. */
export type Shell = 'bash' | 'zsh' | 'fish';

/** How many words a flag takes. A single one may begin with "-". */
type Arity = 'one' | 'optional' | 'many';

/** What completes a value: these words, file names, or nothing. */
interface Values {
  readonly words: readonly string[];
  readonly areFiles: boolean;
}

interface Flag {
  /** Such as `-o` and `--output`. */
  readonly names: readonly string[];
  readonly description: string;
  /** Undefined for a flag without a value. */
  readonly arity: Arity | undefined;
  readonly values: Values;
}

/** A command as the words before its arguments, such as `hr persons list`. */
interface Place {
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  /** Without those of every command. */
  readonly flags: readonly Flag[];
  readonly args: readonly (Values & { readonly isVariadic: boolean })[];
}

/** A script that completes commands, flags, their values and file names. It starts no process. */
export function completionScript(program: Command, shell: Shell): string {
  const help = program.createHelp();
  const common = help.visibleOptions(program).map(flagOf);
  const places = placesOf(program, help, program.name());
  return scripts[shell](places, common);
}

function placesOf(command: Command, help: Help, path: string): Place[] {
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

function flagOf(option: Option): Flag {
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

const scripts: Readonly<Record<Shell, (places: readonly Place[], common: readonly Flag[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/**
 * A function for bash and zsh that takes the next word of the line. Its callers declare what it sets: `at` (the command
 * so far), `arity` and `values` (of the flag before), and `args` (the number of arguments).
 */
function wordFunction(places: readonly Place[], common: readonly Flag[]): string {
  const takes = ({ arity, values }: Flag): string => `arity=${arity} values=${quoted(wordsOf(values))}`;
  const withValue = (flags: readonly Flag[]): readonly Flag[] => flags.filter(({ arity }) => arity !== undefined);
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
function wordsOf({ words, areFiles }: Values): string {
  return areFiles ? FILES : words.join(' ');
}
const FILES = 'FILES';

/** The cases of a command's arguments, by their number. */
function argumentCases(places: readonly Place[], assign: (values: Values) => string): string[] {
  return places.flatMap(({ path, args }) =>
    args.flatMap((argument, index) => {
      if (argument.words.length === 0 && !argument.areFiles) return [];
      const number = argument.isVariadic ? '*' : `' ${index}'`;
      return [`${quoted(path)}${number}) ${assign(argument)} ;;`];
    }),
  );
}

function bashScript(places: readonly Place[], common: readonly Flag[]): string {
  const names = (flags: readonly Flag[]): string => flags.flatMap((flag) => flag.names).join(' ');
  const withFlags = places.filter(({ flags }) => flags.length > 0);
  return `# Completion of hr for bash
${wordFunction(places, common)}
_hr() {
  local at=hr arity= values= found= current="\${COMP_WORDS[COMP_CWORD]}" i line
  local -i args=0
  for ((i = 1; i < COMP_CWORD; i++)); do _hr_word "\${COMP_WORDS[i]}"; done
  [[ $current == '=' ]] && current=
  COMPREPLY=()
  if [[ $arity == one || ( -n $arity && $current != -* ) ]]; then
    found=$values
  elif [[ $current == -* ]]; then
    case "$at" in
${indented(
  withFlags.map(({ path, flags }) => `${quoted(path)}) found=${quoted(names(flags))} ;;`),
  6,
)}
    esac
    found="$found ${names(common)}"
  else
    case "$at" in
${indented(
  commandCases(places, (commands) => `found=${quoted(commands.map(({ name }) => name).join(' '))}`),
  6,
)}
    esac
    case "$at $args" in
${indented(
  argumentCases(places, (values) => `found=${quoted(wordsOf(values))}`),
  6,
)}
    esac
  fi
  if [[ $found == ${FILES} ]]; then
    compopt -o filenames 2>/dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
  else
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -W "$found" -- "$current")
  fi
}
complete -F _hr hr
`;
}

function zshScript(places: readonly Place[], common: readonly Flag[]): string {
  const described = (name: string, description: string): string =>
    quoted(`${name.replaceAll(':', '\\:')}:${description}`);
  const flagsOf = (flags: readonly Flag[]): string =>
    flags.flatMap(({ names, description }) => names.map((name) => described(name, description))).join(' ');
  const withFlags = places.filter(({ flags }) => flags.length > 0);
  return `#compdef hr
# Completion of hr for zsh
${wordFunction(places, common)}
_hr() {
  local at=hr arity= values= word i
  local -i args=0
  local -a found
  for ((i = 2; i < CURRENT; i++)); do _hr_word "\${words[i]}"; done
  word=\${words[CURRENT]}
  if [[ -z $arity && $word == --*=* ]]; then
    _hr_word "\${word%%=*}"
    compset -P '*='
    word=
  fi
  if [[ $arity == one || ( -n $arity && $word != -* ) ]]; then
    if [[ $values == ${FILES} ]]; then _files; else compadd -- \${=values}; fi
  elif [[ $word == -* ]]; then
    case "$at" in
${indented(
  withFlags.map(({ path, flags }) => `${quoted(path)}) found=(${flagsOf(flags)}) ;;`),
  6,
)}
    esac
    found+=(${flagsOf(common)})
    _describe -o flag found
  else
    case "$at" in
${indented(
  commandCases(
    places,
    (commands) => `found=(${commands.map(({ name, description }) => described(name, description)).join(' ')})`,
  ),
  6,
)}
    esac
    case "$at $args" in
${indented(
  argumentCases(places, (values) =>
    values.areFiles ? '_files; return' : `found=(${values.words.map(quoted).join(' ')})`,
  ),
  6,
)}
    esac
    _describe command found
  fi
}
if [[ "\${funcstack[1]}" == _hr ]]; then _hr "$@"; else compdef _hr hr; fi
`;
}

function commandCases(places: readonly Place[], assign: (commands: Place['commands']) => string): string[] {
  return places
    .filter(({ commands }) => commands.length > 0)
    .map(({ path, commands }) => `${quoted(path)}) ${assign(commands)} ;;`);
}

function fishScript(places: readonly Place[], common: readonly Flag[]): string {
  const withValue = (flags: readonly Flag[]): readonly Flag[] => flags.filter(({ arity }) => arity !== undefined);
  const cases = [
    ...places.flatMap(({ path, commands }) =>
      commands.map(({ name }) => [[`${path} ${name}`], `set at ${quotedInFish(`${path} ${name}`)}`] as const),
    ),
    ...places.flatMap(({ path, flags }) =>
      withValue(flags).map(
        ({ names, arity }) => [names.map((name) => `${path} ${name}`), `set arity ${arity}`] as const,
      ),
    ),
    ...withValue(common).map(({ names, arity }) => [names.map((name) => `* ${name}`), `set arity ${arity}`] as const),
    [['* -*'], 'true'] as const,
    [['*'], 'set args (math $args + 1)'] as const,
  ].map(([patterns, action]) => `case ${patterns.map(quotedInFish).join(' ')}\n    ${action}`);
  const complete = (condition: string, rest: string): string => `complete -c hr${condition} ${rest}`;
  const lines = places.flatMap(({ path, commands, flags, args }) => {
    const here = ` -n ${quotedInFish(`__hr_at ${quotedInFish(path)}`)}`;
    return [
      ...commands.map(({ name, description }) => complete(here, `-a ${name} -d ${quotedInFish(description)}`)),
      ...flags.map((flag) => complete(here, fishFlag(flag))),
      ...args.flatMap(({ words, areFiles, isVariadic }, index) => {
        if (words.length === 0 && !areFiles) return [];
        const number = isVariadic ? '' : ` ${index}`;
        const condition = ` -n ${quotedInFish(`__hr_at ${quotedInFish(path)}${number}`)}`;
        return [complete(condition, areFiles ? '-F' : `-a ${quotedInFish(words.join(' '))}`)];
      }),
    ];
  });
  return `# Completion of hr for fish
# Whether the line so far is this command, and has this number of arguments.
function __hr_at
  set -l at hr
  set -l arity
  set -l args 0
  for word in (commandline -opc)[2..-1]
    if test "$arity" = one; or begin; test -n "$arity"; and not string match -q -- '-*' $word; end
      test "$arity" = many; or set arity
      continue
    end
    set arity
    switch "$at $word"
${indented(
  cases.flatMap((text) => text.split('\n')),
  6,
)}
    end
  end
  test "$at" = "$argv[1]"; and test "$args" = "$argv[2]" -o -z "$argv[2]"
end
complete -c hr -f
${[...lines, ...common.map((flag) => complete('', fishFlag(flag)))].join('\n')}
`;
}

function fishFlag({ names, description, arity, values }: Flag): string {
  const keys = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const words = values.words.length > 0 ? [`-a ${quotedInFish(values.words.join(' '))}`] : [];
  // -x: it needs a value, and that is no file.
  const value = values.areFiles ? ['-r -F'] : arity === 'one' || words.length > 0 ? ['-x', ...words] : [];
  return [...keys, ...value, `-d ${quotedInFish(description)}`].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function quotedInFish(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
}

function indented(lines: readonly string[], width: number): string {
  return lines.map((line) => `${' '.repeat(width)}${line}`).join('\n');
}
