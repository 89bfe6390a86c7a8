/** What follows the help of some commands. */
export const helpTexts = {
  hr: `
ENVIRONMENT
  HR_HOME              folder of the profiles, the local copy and the outbox; default: ~/.hr
  HR_PROFILE           profile, as --profile
  HR_BASE_URL          address of the HR Cloud, as --base-url
  HR_CLIENT_ID         client id
  HR_CLIENT_SECRET     client secret
  HR_PRIVATE_KEY_FILE  file with a private key (JWK), instead of the secret
  HR_KEYCHAIN          if "off", login stores secrets in a file, not in the keychain of the system
  NO_COLOR             if set, output has no colors

EXIT CODES
  0 success        3 partly done                   6 rejected                 9 another program is sending
  1 failure        4 authentication or permission  7 unknown outcome: a change may have been made
  2 wrong usage    5 not found                     8 network                  130 interrupted
`,
  upgradeNames: `
EXAMPLES
  $ hr upgrade-names .                                     list former names, such as postalCode
  $ hr upgrade-names . --type src/hr.ts#Person             also print the diff that renames the fields of a type
  $ hr upgrade-names . --type src/hr.ts#Person --write     rename them, and list the other names

It renames fields of the types that you name and of types that they lead to, in all of the project, and lists all other
former names in text files of any kind. It skips node_modules, dist, links in folders, and what Git ignores. The list is
on standard error; -o writes it to standard output, without the diff. With --type, columns are those after the rename.

EXIT CODES
  0 no former name is left           2 wrong usage
  1 there are names for you to do    3 a file was not read; binary files do not count
`,
  completion: `
EXAMPLES
  $ echo 'eval "$(hr completion bash)"' >> ~/.bashrc
  $ echo 'eval "$(hr completion zsh)"' >> ~/.zshrc      after the line with compinit
  $ hr completion fish > ~/.config/fish/completions/hr.fish
`,
  setAddress: `
FILE
  {"street": "Lange Straße", "houseNumber": "12a", "zipCode": "20095", "city": "Hamburg", "country": "DE"}
  {"postOfficeBox": "4711", "zipCode": "20095", "city": "Hamburg", "country": "DE"}
  Or an array of addresses. Also additionalAddressInfo, and stateCode such as DE-HH. Fields that are left out are discarded.
`,
  setBank: `
FILE
  {"iban": "DE02120300000000202051", "bic": "BYLADEM1001"}
  Also payee. Write the IBAN without spaces. Fields that the file leaves out are discarded.
`,
  submit: `
FILE
  contractId;billingPeriod;compensationComponentId;amount
  1000-20001;2026-12;2650;1234,50

  Each row needs contractId, billingPeriod, compensationComponentId, and at least one of amount, hours, days,
  hourlyFactor and percentage. It may have correctionPeriod. Columns may have German names, such as Betrag. Save the file
  as UTF-8. Numbers are in German or English notation: 1.234,50 or 1,234.50. Say with --decimal what 1.234 means. What all
  rows have in common can be a flag instead of a column: --period, --correction-period, --component. For other columns,
  store a map: hr payments map --help
`,
  labels: `
FILE
  kind,key,en,de,color
  bookingKey,40,Business trip,Dienstreise,#3b6fb5

  The kinds are bookingKey, compensationComponent, group, personGroup, legalEntity, exitReason and currency. The key of a
  currency is its code, such as EUR. Each line needs a kind, a key and a name. A spreadsheet may write the file, as UTF-8.
`,
  map: `
PAIRS
  "Betrag=amount": the column Betrag of the sheet is the field amount. "compensationComponentId=BONUS": the field is the
  same in every row. The fields are contractId, billingPeriod, correctionPeriod, compensationComponentId, amount, hours,
  days, hourlyFactor and percentage.
`,
};
