import type { Flag, Place } from './place.ts';
import { argumentCases, commandCases, FILES, indented, quoted, wordFunction } from './shell-cases.ts';

export function zshScript(places: readonly Place[], common: readonly Flag[]): string {
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

/** A word with its description, as `_describe` of zsh takes it. */
function described(name: string, description: string): string {
  return quoted(`${name.replaceAll(':', '\\:')}:${description}`);
}

function flagsOf(flags: readonly Flag[]): string {
  return flags.flatMap(({ names, description }) => names.map((name) => described(name, description))).join(' ');
}
