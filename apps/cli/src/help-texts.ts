/** After the help of `hr`. */
export const HELP = `
EXAMPLES
  $ hr auth login
  $ hr persons list --name müller
  $ hr persons export --out persons.parquet
  $ hr payments submit --file payments.csv --dry-run
  $ hr time bookings --from 2026-10-01 --to 2026-10-31 -o csv

EXIT CODES
  0 success      3 partly done                   6 rejected
  1 failure      4 authentication or permission  7 unknown outcome: a change may have been made
  2 wrong usage  5 not found                     8 network          130 interrupted
`;

/** After the help of `hr upgrade-names`. */
export const UPGRADE_NAMES_HELP = `
WHAT IT READS
  .json, .jsonc, .ts, .tsx, .mts and .cts files, and folders of them. It skips node_modules, dist, links in folders,
  and what Git ignores. It prints a diff, and the places that it leaves to you. Review the diff before --write: other
  code may have fields with the same names.

WHAT IT RENAMES
  Fields of an address, if the object is below "address" or "addresses" and half of its fields are those of an address,
  or if it has at least two of them and at most a quarter of its fields are others.
  "timeAccountDays" beside "personId".
  In TypeScript: in types, object literals, patterns and JSX attributes by the same rules; "x.postalCode" if x has such
  a type, comes from such a field, or is used like an address; names in types such as Pick<Address, 'postalCode'>.
  Variables keep their names, and strings their text. An object with both names stays as it is.

EXIT CODES
  0 nothing to rename, or all renamed    2 wrong usage
  1 names to rename, without --write     3 a file does not parse; the others are done
`;

/** After the help of `hr completion`. */
export const COMPLETION_HELP = `
EXAMPLES
  $ echo 'eval "$(hr completion bash)"' >> ~/.bashrc
  $ echo 'eval "$(hr completion zsh)"' >> ~/.zshrc      after the line with compinit
  $ hr completion fish > ~/.config/fish/completions/hr.fish
`;
