/** A shell with completion. */
export type Shell = keyof typeof completionScripts;

/** What each shell runs to complete a line of hr. They ask `hr __complete` for the words, and complete file names. */
export const completionScripts = {
  bash: `# Completion of hr for bash
_hr() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o default
    else
      COMPREPLY+=("$(printf %q "\${line%%$'\\t'*}")")
    fi
  done < <("$1" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _hr hr
`,
  zsh: `#compdef hr
# Completion of hr for zsh
_hr() {
  local line
  local -a found
  for line in "\${(@f)$($words[1] __complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      compset -P '*='
      _files
    elif [[ -n $line ]]; then
      found+=("\${\${line//:/\\\\:}/$'\\t'/:}")
    fi
  done
  _describe hr found
}
if [[ "\${funcstack[1]}" == _hr ]]; then _hr "$@"; else compdef _hr hr; fi
`,
  fish: `# Completion of hr for fish
function __hr_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  for line in ($words[1] __complete -- $words[2..-1] "$current" 2>/dev/null)
    if test $line = :files
      __fish_complete_path (string replace -r '.*=' '' -- "$current")
    else
      echo $line
    end
  end
end
complete -c hr -f -a '(__hr_complete)'
`,
};
