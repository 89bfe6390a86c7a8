/** After the help of `hr`. */
export const HELP = `
ENVIRONMENT
  HR_HOME           folder of the profiles, the local copy and the outbox; default: ~/.hr
  HR_PROFILE        profile, as --profile
  HR_BASE_URL       address of the HR Cloud, as --base-url
  HR_CLIENT_ID      client id
  HR_CLIENT_SECRET  client secret
  NO_COLOR          if set, output has no colors

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

/** After the help of `hr persons set-address`. */
export const SET_ADDRESS_HELP = `
FILE
  {"street": "Lange Straße", "houseNumber": "12a", "zipCode": "20095", "city": "Hamburg", "country": "DE"}
  {"postOfficeBox": "4711", "zipCode": "20095", "city": "Hamburg", "country": "DE"}
  Also additionalAddressInfo, and stateCode such as DE-HH. Fields that the file leaves out are discarded.
`;

/** After the help of `hr persons set-bank`. */
export const SET_BANK_HELP = `
FILE
  {"iban": "DE02120300000000202051", "bic": "BYLADEM1001"}
  Also payee. Write the IBAN without spaces. Fields that the file leaves out are discarded.
`;

/** After the help of `hr payments submit`. */
export const SUBMIT_HELP = `
FILE
  contractId;billingPeriod;compensationComponentId;amount
  1000-20001;2026-12;2650;1234,50

  Each row needs contractId, billingPeriod, compensationComponentId, and at least one of amount, hours, days,
  hourlyFactor and percentage. It may have correctionPeriod. Save the file as UTF-8. Numbers have a decimal comma if the
  delimiter is ";", and a decimal point if it is ",". What all rows have in common can be a flag instead of a column:
  --period, --correction-period, --component. For other columns, store a map: hr payments map --help
`;

/** After the help of `hr payments map`. */
export const MAP_HELP = `
PAIRS
  "Betrag=amount": the column Betrag of the sheet is the field amount. "compensationComponentId=BONUS": the field is the
  same in every row. The fields are contractId, billingPeriod, correctionPeriod, compensationComponentId, amount, hours,
  days, hourlyFactor and percentage.
`;
