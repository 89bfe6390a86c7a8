import type { Flag, Place } from './place.ts';
import { indented, withValue } from './shell-cases.ts';

export function fishScript(places: readonly Place[], common: readonly Flag[]): string {
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
  const lines = places.flatMap(({ path, commands, flags, args }) => {
    const here = ` -n ${quotedInFish(`__hr_at ${quotedInFish(path)}`)}`;
    return [
      ...commands.map(({ name, description }) => `complete -c hr${here} -a ${name} -d ${quotedInFish(description)}`),
      ...flags.map((flag) => `complete -c hr${here} ${fishFlag(flag)}`),
      ...args.flatMap(({ words, areFiles, isVariadic }, index) => {
        if (words.length === 0 && !areFiles) return [];
        const number = isVariadic ? '' : ` ${index}`;
        const condition = ` -n ${quotedInFish(`__hr_at ${quotedInFish(path)}${number}`)}`;
        return [`complete -c hr${condition} ${areFiles ? '-F' : `-a ${quotedInFish(words.join(' '))}`}`];
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
${[...lines, ...common.map((flag) => `complete -c hr ${fishFlag(flag)}`)].join('\n')}
`;
}

function fishFlag({ names, description, arity, values }: Flag): string {
  const keys = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const words = values.words.length > 0 ? [`-a ${quotedInFish(values.words.join(' '))}`] : [];
  // -x: it needs a value, and that is no file.
  const value = values.areFiles ? ['-r -F'] : arity === 'one' || words.length > 0 ? ['-x', ...words] : [];
  return [...keys, ...value, `-d ${quotedInFish(description)}`].join(' ');
}

function quotedInFish(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
}
