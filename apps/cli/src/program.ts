import { styleText } from 'node:util';
import { Argument, CommanderError, InvalidArgumentError, Option, Help, type Command } from 'commander';
import packageFile from '../package.json' with { type: 'json' };
import { CliError, exitCodes } from './cli-error.ts';
import type { Shell } from './completion/completion-script.ts';
import type { Context, Flags } from './context.ts';
import { helpTexts } from './help-texts.ts';
import { HrCommand } from './hr-command.ts';
import type { Terminal } from './terminal.ts';

/**
 * Runs a command, such as `['persons', 'list']`, to its end. A failed command says why on stderr and sets the exit code.
 *
 * @param signal - Aborts when the person interrupts the command.
 */
export async function run(
  args: readonly string[],
  terminal: Terminal,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  let running: Command | undefined;
  const hr = program(terminal, signal).hook('preAction', (_, command) => void (running = command));
  try {
    await hr.parseAsync(args, { from: 'user' });
  } catch (error) {
    // Commander has printed it already.
    if (error instanceof CommanderError) {
      terminal.exitCode = error.exitCode && exitCodes.usage;
      return;
    }
    // A reader such as `head` has read enough.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    const { exitCodeOf, failureMessage } = await import('./report-failure.ts');
    terminal.stderr.write(`hr: ${failureMessage(error, running)}\n`);
    const code = exitCodeOf(error);
    // That a change may have been made matters more.
    terminal.exitCode = signal.aborted && code !== exitCodes.unknownOutcome ? exitCodes.interrupted : code;
  }
}

const month = matching(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'It must be a month such as 2026-01.');
const day = matching(/^\d{4}-\d{2}-\d{2}$/, 'It must be a date such as 2026-01-31.');
const COLLECTIONS = ['persons', 'bookings', 'absences'];
const OUTBOX_STATES = ['sending', 'sent', 'refused', 'unknown', 'approved', 'rejected'];
// What examples name.
const RECEIVER = 'https://hooks.example.com/hr';
const ENDPOINT = '6f1c2d0e-5b0f-4d0a-9c57-3a1e2f4b6c8d';
/** Claude Code keeps a result of more than 25,000 tokens or 50,000 characters from the model. */
const MAX_RESULT_TOKENS = 20_000;

/** A command's implementation: its arguments in order, then its own options. It returns an exit code unless it is 0. */
type Implementation = (context: Context, ...args: never[]) => Promise<number | void>;

/**
 * The commands and their arguments. What a command does is imported when it runs, because importing all of it takes
 * longer than printing the help.
 */
export function program(terminal: Terminal, signal: AbortSignal): HrCommand {
  const hr = new HrCommand('hr')
    .description('Work with the HR Cloud from the command line.')
    .usage('<command> <subcommand> [flags]')
    .examples('auth login', 'persons list --name müller', 'payments submit --file payments.csv --dry-run')
    .addHelpText('after', helpTexts.hr)
    .configureHelp({
      showGlobalOptions: true,
      styleTitle: (title) => styleText('bold', title.toUpperCase().replace('OPTIONS', 'FLAGS').replace(':', '')),
      styleUsage: (usage) => usage.replace('[options]', '[flags]').replace('[command]', '<command>'),
      subcommandTerm: (command) => command.name(),
      visibleCommands: (command) => new Help().visibleCommands(command).filter((each) => each.name() !== 'help'),
      // Commands matter more where there are some.
      visibleGlobalOptions(command) {
        return command.commands.length > 0 ? [] : Help.prototype.visibleGlobalOptions.call(this, command);
      },
    })
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'hr: ')),
    })
    .showSuggestionAfterError()
    .showHelpAfterError('Add --help to the command to see its arguments and flags.')
    .exitOverride()
    .option('--profile <profile>', 'Profile with address and credentials')
    .option('--base-url <url>', 'Address of the HR Cloud, such as https://hr.example.com')
    .option('--client-secret-file <file>', 'File with the client secret; "-" reads standard input')
    .choice('-o, --output <format>', 'Output format', ['table', 'json', 'ndjson', 'csv', 'parquet'])
    .option('--json', 'Print one JSON array')
    .option('--fields <names>', 'Columns or fields, separated by commas', (names) => names.split(','))
    .option('--rows <list>', 'Write a row for each element of a list, such as employments')
    .option('--labels', 'Add a column with labels beside each column of keys')
    .option('--out <file>', 'Write to a file instead of standard output')
    .choice('--excel [language]', 'CSV for a German or English spreadsheet', ['de', 'en'])
    .option('-q, --quiet', 'Print no progress and no notes')
    .option('-v, --verbose', 'Print each request')
    .option('--no-input', 'Never ask')
    .option('--yes', 'Answer every question with yes')
    .addOption(
      new Option('--max-age <duration>', 'Read the local copy as it is up to this age, such as 30s or 2h')
        .argParser(duration)
        .default(300, '5m'),
    )
    .option(
      '--wait <duration>',
      'How long to wait for a connection (default: 0), and at a limit of requests (default: 5m)',
      duration,
    )
    .version(packageFile.version, '--version', 'Show the version')
    .helpOption('-h, --help', 'Show help');

  const action =
    (load: () => Promise<Implementation>) =>
    async (...given: unknown[]) => {
      const [args, command] = [given.slice(0, -1), given.at(-1) as Command];
      const { from = '', to = from } = command.opts<{ from?: string; to?: string }>();
      if (from > to) throw new CliError('--from must not be after --to.', exitCodes.usage);
      const [{ Context }, implementation] = await Promise.all([import('./context.ts'), load()]);
      using context = new Context(terminal, hr.opts<Flags>(), signal);
      const code = await implementation(context, ...(args as never[]));
      if (code) terminal.exitCode = code;
    };

  const auth = subcommand(hr, 'auth', 'Manage the credentials of a profile');
  subcommand(auth, 'login', 'Check credentials and store them in a profile')
    .option('--client-id <id>', 'Client id, from the operator of the HR Cloud')
    .option('--generate-key', 'Make a private key instead of a secret, and print its public key for the operator')
    .examples(
      '--base-url https://hr.example.com --client-id payroll',
      '--profile test --client-secret-file secret.txt',
      '--generate-key > public.jwk',
    )
    .action(action(async () => (await import('./auth.ts')).login));
  subcommand(auth, 'status', 'Show the profile in use, and whether its credentials work')
    .examples('', '--profile test -o json')
    .action(action(async () => (await import('./auth.ts')).status));
  subcommand(auth, 'logout', 'Delete the stored secret or key of a profile')
    .examples('', '--profile test')
    .action(action(async () => (await import('./auth.ts')).logout));

  const profiles = subcommand(hr, 'profiles', 'Choose between profiles');
  subcommand(profiles, 'list', 'List the profiles, without their secrets')
    .examples('', '-o json')
    .action(action(async () => (await import('./auth.ts')).listProfiles));
  subcommand(profiles, 'use <profile>', 'Set the profile that commands use without --profile')
    .examples('test', 'default -o json')
    .action(action(async () => (await import('./auth.ts')).useProfile));

  const persons = subcommand(hr, 'persons', 'Read persons, and change addresses and bank details');
  personFilters(subcommand(persons, 'list', 'List persons'))
    .option('-L, --limit <n>', 'Maximum number of persons', wholeNumber)
    .examples('--name müller', '--group vertrieb --status ACTIVE', '--fields id,lastName,address.city -o csv')
    .action(action(async () => (await import('./persons/persons.ts')).list));
  subcommand(persons, 'get <id>', 'Show a person, and when each field was last seen')
    .option('--no-sync', 'Read the local copy without bringing it up to date')
    .examples('100001', '100001 --no-sync --json')
    .action(action(async () => (await import('./persons/persons.ts')).get));
  personFilters(subcommand(persons, 'export', 'Export persons with all their fields'))
    .examples('--out persons.parquet', '--status ACTIVE --excel de --out persons.csv')
    .action(action(async () => (await import('./persons/persons.ts')).exportPersons));
  changeFlags(subcommand(persons, 'set-address <id>', 'Replace the addresses of a person'), 'address')
    .addHelpText('after', helpTexts.setAddress)
    .action(action(async () => (await import('./persons/change.ts')).setAddress));
  changeFlags(subcommand(persons, 'set-bank <id>', 'Replace the bank details of a person'), 'bank')
    .addHelpText('after', helpTexts.setBank)
    .action(action(async () => (await import('./persons/change.ts')).setBank));

  const payments = subcommand(hr, 'payments', 'Submit variable payments, and follow them');
  subcommand(payments, 'submit [contract]', 'Submit one payment, or those of a file')
    .option('--period <month>', 'Billing period, such as 2026-12')
    .option('--component <id>', 'Compensation component')
    .option('--amount <number>', 'Amount; a negative one is a reversal')
    .option('--hours <number>', 'Hours')
    .option('--days <number>', 'Days')
    .option('--hourly-factor <number>', 'Hourly factor')
    .option('--percentage <number>', 'Percentage')
    .option('--correction-period <month>', 'Month that the payment affects; default: the billing period')
    .option('--file <file>', 'CSV or NDJSON file with a payment a row; "-" reads standard input')
    .choice('--format <format>', 'Format of the file', ['csv', 'ndjson'])
    .option('--map <name>', 'Stored map of the columns of the file')
    .choice('--decimal <sign>', 'Sign before decimals, for numbers such as 1.234', ['comma', 'point'])
    .option('--result <file>', 'File for the result of each row; default: payments.result.csv for payments.csv')
    .option('--dry-run', 'Check the rows and show the summary, and send nothing')
    .option('--skip-invalid', 'Send the valid rows of a file with invalid ones')
    .option('--skip-submitted', 'Leave out rows that equal a payment that was submitted before')
    .addOption(new Option('--again', 'Submit once more what was submitted before').conflicts('skipSubmitted'))
    .option('--equal-rows', 'Pay each of several equal rows of the file')
    .option('--strict', 'Send nothing if there is a warning')
    .examples(
      '1000-20001 --period 2026-12 --component BONUS --amount 250',
      '--file payments.csv --dry-run',
      '--file payments.csv --skip-invalid --yes',
    )
    .addHelpText('after', helpTexts.submit)
    .action(action(async () => (await import('./payments/submit.ts')).submit));
  subcommand(payments, 'map [name] [pairs...]', 'Show the maps of columns, or store, change or delete one')
    .choice('--delimiter <sign>', 'What separates the cells', ['semicolon', 'comma', 'tab'])
    .choice('--decimal <sign>', 'Sign before decimals, for numbers such as 1.234', ['comma', 'point'])
    .choice('--encoding <name>', 'Encoding of files that are not UTF-8', ['windows-1252'])
    .option('--ignore-columns', 'Ignore the columns that the map does not name')
    .option('--ignore-rows', 'Leave out rows without a value')
    .option('--delete', 'Delete the map')
    .examples('bonus-sheet "Betrag EUR=amount" compensationComponentId=BONUS', 'bonus-sheet --ignore-columns')
    .addHelpText('after', helpTexts.map)
    .action(action(async () => (await import('./payments/payment-map.ts')).map));
  subcommand(
    payments,
    'template',
    'Write a file with a row for each payroll contract of a month, to fill in and submit',
  )
    .requiredOption('--period <month>', 'Billing period, such as 2026-12', month)
    .option('--component <id>', 'Compensation component of every row')
    .option('--no-sync', 'Read the local copy without bringing it up to date')
    .examples('--period 2026-12 --component BONUS --out bonus.csv', '--period 2026-12 --excel en --out bonus.csv')
    .action(action(async () => (await import('./payments/payments.ts')).template));
  subcommand(payments, 'list <contract>', 'List the approved payments of a payroll contract')
    .option('--period <month>', 'Only payments of this billing period', month)
    .examples('1000-20001', '1000-20001 --period 2026-12 -o csv')
    .action(action(async () => (await import('./payments/payments.ts')).list));
  subcommand(payments, 'outbox', 'List the payments that this machine submitted')
    .choice('--state <state>', 'Only payments in this state', OUTBOX_STATES)
    .option('--check', 'Ask the HR Cloud first which of them are approved or rejected')
    .option('--all', 'Also show the entries of payments that were sent again since')
    .examples('--state unknown', '--check')
    .action(action(async () => (await import('./payments/payments.ts')).outbox));
  subcommand(payments, 'resolve <entry>', 'Record what you found out about an unknown or lost payment')
    .addOption(
      new Option('--as <outcome>', 'Whether the HR Cloud has it').choices(['taken', 'not-taken']).makeOptionMandatory(),
    )
    .requiredOption('--note <text>', 'How you know, such as a name and a ticket')
    .examples('1b4f9c2e --as taken --note "asked Kim, ticket 4711"', '1b4f9c2e --as not-taken --note "not in payroll"')
    .action(action(async () => (await import('./payments/payments.ts')).resolve));
  subcommand(payments, 'report <month>', 'Sum up the payments of a billing period by component and state')
    .option('--check', 'Ask the HR Cloud first which of them are approved or rejected')
    .examples('2026-12', '2026-12 --check -o csv')
    .action(action(async () => (await import('./payments/payments.ts')).report));
  subcommand(payments, 'resend <entries...>', 'Send unknown or refused payments of the outbox again')
    .examples('6f1c2d0e', '6f1c2d0e 0b7a95c1 --yes')
    .action(action(async () => (await import('./payments/payments.ts')).resend));

  const salary = subcommand(hr, 'salary', 'Read salaries');
  subcommand(salary, 'history [contracts...]', 'List salaries by month, of payroll contracts or of everyone')
    .option('--from <month>', 'First month, such as 2026-01', month)
    .option('--to <month>', 'Last month, such as 2026-12', month)
    .examples('1000-20001 --from 2026-01', '--from 2026-01 --to 2026-12 --out salaries.csv')
    .action(action(async () => (await import('./salary.ts')).history));
  const time = subcommand(hr, 'time', 'Read time bookings');
  days(subcommand(time, 'bookings', 'List time bookings by day'))
    .examples('--from 2026-10-01 --to 2026-10-31', '--from 2026-10-01 -o csv')
    .action(action(async () => (await import('./time.ts')).listBookings));
  const absences = subcommand(hr, 'absences', 'Read absences');
  days(subcommand(absences, 'list [persons...]', 'List absences, of persons or of everyone'))
    .option('--no-sync', 'For everyone, read the local copy without bringing it up to date')
    .examples('100001 100002 --from 2026-01-01', '--from 2026-10-01 --to 2026-10-31 --no-sync')
    .action(action(async () => (await import('./time.ts')).listAbsences));

  subcommand(hr, 'sync', 'Bring the local copy up to date')
    .addArgument(new Argument('[collections...]', 'What to read; default: persons bookings').choices(COLLECTIONS))
    .option('--full', 'Read everything, and delete what the HR Cloud no longer lists')
    .option('--allow-shrink', 'Delete even if more than a tenth would go')
    .option('--dry-run', 'Show what would change, and change nothing')
    .option('--status', 'Show the state of the local copy, and the latest runs')
    .option('--watch [seconds]', 'Follow changes until interrupted; without news, every 60 seconds', wholeNumber)
    .option('--purge', 'Delete the local copy')
    .examples('', 'persons bookings absences --full', '--watch')
    .action(action(async () => (await import('./sync.ts')).sync));

  const labels = subcommand(hr, 'labels', 'Manage the names of keys that --labels shows');
  subcommand(
    labels,
    'import <file>',
    'Store labels in the profile, instead of those that it has; "-" reads standard input',
  )
    .addHelpText('after', helpTexts.labels)
    .examples('labels.csv', '--profile test labels.csv')
    .action(action(async () => (await import('./labels.ts')).importLabels));
  subcommand(labels, 'list', 'List the labels of the profile')
    .examples('', '--excel de --out labels.csv')
    .action(action(async () => (await import('./labels.ts')).listLabels));

  const webhooks = subcommand(hr, 'webhooks', 'Manage the URLs that the HR Cloud tells of changes');
  subcommand(webhooks, 'create <url>', 'Register a URL, and print the secret of its webhooks')
    .examples(RECEIVER, `${RECEIVER} -o json`)
    .action(action(async () => (await import('./webhooks.ts')).create));
  subcommand(webhooks, 'list', 'List the endpoints of this client')
    .examples('', '-o json')
    .action(action(async () => (await import('./webhooks.ts')).list));
  subcommand(webhooks, 'deliveries <id>', 'List the last attempts to send to an endpoint')
    .examples(ENDPOINT, `${ENDPOINT} -o csv`)
    .action(action(async () => (await import('./webhooks.ts')).deliveries));
  subcommand(webhooks, 'test <id>', 'Send a test event now; a success resumes a paused endpoint')
    .examples(ENDPOINT, `${ENDPOINT} -o json`)
    .action(action(async () => (await import('./webhooks.ts')).test));
  subcommand(webhooks, 'rotate <id>', 'Give an endpoint another secret, and print it')
    .examples(ENDPOINT, `${ENDPOINT} --yes`)
    .action(action(async () => (await import('./webhooks.ts')).rotate));
  subcommand(webhooks, 'delete <id>', 'Remove an endpoint')
    .examples(ENDPOINT, `${ENDPOINT} --yes`)
    .action(action(async () => (await import('./webhooks.ts')).remove));

  subcommand(hr, 'listen', 'Forward changes to a local address, as the webhooks of the HR Cloud')
    .requiredOption('--forward-to <url>', 'Address of the receiver, such as http://localhost:3000/hook')
    .examples('--forward-to http://localhost:3000/hook', '--profile test --forward-to http://localhost:3000/hook')
    .action(action(async () => (await import('./listen.ts')).listen));

  subcommand(hr, 'mcp', 'Serve the Model Context Protocol on standard input and output, for assistants')
    .option('--allow-writes', 'Offer changes too; the user confirms each one in the client')
    .option('--reveal', 'Show bank details, addresses and other private fields')
    .option('--max-tokens <n>', 'Maximum number of tokens of a result', wholeNumber, MAX_RESULT_TOKENS)
    .examples('', '--profile test --allow-writes')
    .action(action(async () => (await import('./mcp/mcp-server.ts')).mcp));

  subcommand(hr, 'api <method> [path]', 'Send a request with an access token, and print the response')
    .option('-f, --field <name=value...>', 'Query parameter')
    .option('--input-file <file>', 'JSON file to send as the body; "-" reads standard input')
    .option('-i, --include', 'Print the status and the headers too')
    .examples(
      '/api/v1/persons',
      '/api/v1/persons -f changedSince=2026-10-01',
      'PATCH /api/v1/persons/100001 --input-file change.json',
    )
    .action(action(async () => (await import('./api.ts')).api));

  subcommand(hr, 'doctor', 'Check the profile, the connection and the credentials, and say what to do')
    .examples('', '--base-url https://hr.example.com', '--profile test -o json')
    .action(action(async () => (await import('./doctor/doctor.ts')).doctor));

  subcommand(hr, 'upgrade-names <paths...>', 'List former field names, and rename the fields of TypeScript types')
    .option(
      '--type <file#type>',
      'Exported type to rename the fields of, such as src/hr.ts#Person; can be repeated',
      (type, types?: readonly string[]) => [...(types ?? []), type],
    )
    .option('--write', 'Rename them; without it, only print the diff')
    .addHelpText('after', helpTexts.upgradeNames)
    .action(action(async () => (await import('./upgrade-names/upgrade-names.ts')).upgradeNames));

  subcommand(hr, 'completion', 'Print a script that completes commands and flags in a shell')
    .addArgument(new Argument('<shell>', 'The shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', helpTexts.completion)
    .action(async (shell: Shell) => {
      const { completionScripts } = await import('./completion/completion-script.ts');
      terminal.stdout.write(completionScripts[shell]);
    });
  hr.command('__complete [words...]', { hidden: true }).action(async (words: readonly string[]) => {
    const { complete } = await import('./completion/complete.ts');
    const found = await complete(hr, words, terminal).catch(() => []);
    terminal.stdout.write(found.map((word) => `${word}\n`).join(''));
  });
  return hr;
}

/** Adds a command below another one. */
function subcommand(parent: HrCommand, usage: string, description: string): HrCommand {
  return parent.command(usage).description(description);
}

function personFilters(command: HrCommand): HrCommand {
  return command
    .option('--name <text>', 'Only persons with names that begin with these words')
    .option('--group <group>', 'Only members of a group')
    .option('--contract <id>', 'Only the person with a payroll contract')
    .option('--status <status>', 'Only persons with this account status, such as ACTIVE')
    .option('--no-sync', 'Read the local copy without bringing it up to date');
}

function changeFlags(command: HrCommand, name: string): HrCommand {
  return command
    .option('--file <file>', 'JSON file with what to store; "-" reads standard input', '-')
    .option('--dry-run', 'Show what would change, and send nothing')
    .examples(`100001 --file ${name}.json --dry-run`, `100001 --file ${name}.json`);
}

function days(command: HrCommand): HrCommand {
  return command.option('--from <date>', 'First day, such as 2026-01-31', day).option('--to <date>', 'Last day', day);
}

function matching(pattern: RegExp, message: string): (text: string) => string {
  return (text) => {
    if (pattern.test(text)) return text;
    throw new InvalidArgumentError(message);
  };
}

/** @returns Seconds. */
function duration(text: string): number {
  const [, value, unit = 's'] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? [];
  if (value !== undefined) return Number(value) * ({ m: 60, h: 3600, d: 86_400 }[unit] ?? 1);
  throw new InvalidArgumentError('It must be a duration such as 30s, 5m or 2h.');
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a whole number above 0.');
}
