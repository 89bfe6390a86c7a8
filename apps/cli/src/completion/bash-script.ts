import type { Flag, Place } from './place.ts';
import { argumentCases, commandCases, FILES, indented, quoted, wordFunction, wordsOf } from './shell-cases.ts';

export function bashScript(places: readonly Place[], common: readonly Flag[]): string {
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

function names(flags: readonly Flag[]): string {
  return flags.flatMap((flag) => flag.names).join(' ');
}
