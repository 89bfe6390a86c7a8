import { parseArgs } from 'node:util';
import { PROVIDER_NAME } from '../../contract/provider-name.ts';
import { HrTestingError } from '../../hr-testing-error.ts';
import type { Release } from '../deployment-records.ts';
import { conformWarnings, UsageError, type Arguments, type Report } from './command.ts';
import { commandHelp, flagsOf, programHelp, type CommandHelp } from './command-help.ts';

const FAILED = 1;
const MISUSED = 2;

/** A command. It imports what it does when it runs, so that a start loads no more than it needs. */
interface Command extends CommandHelp {
  readonly run: (given: Arguments) => Promise<Report>;
}

const ofRelease = {
  pacts: ['[PACTS...]', 'Pact files and folders of a consumer'],
  flags: {
    '--participant NAME': 'Name of the consumer, or hr-cloud',
    '--version VERSION': 'Version of the participant',
    '--environment NAME': 'Environment, such as production',
    '--records FILE': 'File that records deployments, such as deployments.json',
  },
  required: ['participant', 'version', 'environment', 'records'],
  notes: ['With a Pact broker, use the command of @pact-foundation/pact-cli; see docs/contracts-in-ci.md.'],
} as const;
const exampleRelease = '--participant hr-cloud --version 1.4.0 --environment production --records deployments.json';

const commands: Readonly<Record<string, Command>> = {
  verify: {
    summary: 'Verify the fake or a running provider against pacts',
    pacts: ['[PACTS...]', 'Pact files and folders; default: the pacts of the broker'],
    flags: {
      '--url URL': 'Provider to verify; default: the fake',
      '--states-url URL':
        'Endpoint for provider states: POST {"action", "state", "params"}; see docs/provider-states.md',
      '--version VERSION': 'Version of the provider; records or publishes the result',
      '--branch BRANCH': 'Branch of the provider; includes pacts of consumer branches with this name',
      '--build-url URL': 'Page of the build; published with the result',
      '--records FILE': 'Record the result in this file instead of the broker',
      '--json': 'Print the result as JSON',
    },
    environment: {
      HR_TOKEN: 'Token for the provider at --url',
      HR_CLIENT_ID: 'Client that requests a token, if HR_TOKEN is not set',
      HR_CLIENT_SECRET: 'Secret of the client',
      HR_TOKEN_WITHOUT_SCOPE: 'Token without the scope api:use, for pacts that need one',
      PACT_BROKER_BASE_URL: 'URL of the broker',
      PACT_BROKER_TOKEN: 'Token for the broker',
      PACT_BROKER_USERNAME: 'User name for the broker, if PACT_BROKER_TOKEN is not set',
      PACT_BROKER_PASSWORD: 'Password of the user',
    },
    examples: [
      'hr-contracts verify pacts',
      'hr-contracts verify pacts --url http://127.0.0.1:4010 --states-url http://127.0.0.1:4011/states',
    ],
    run: async (given) => (await import('./verify-command.ts')).verifyCommand(given),
  },
  conform: {
    summary: 'Check whether a running HR cloud keeps the specification',
    flags: {
      '--base-url URL': 'HR cloud to check',
      '--allow-writes PERSON-ID': 'Also change the addresses and bank details of this person',
      '--allow-payment CONTRACT-ID': 'Also submit one payment for this contract',
      '--states-url URL': 'Also check behaviour cases and contracts, with provider states from this endpoint',
      '--wire-names JSON':
        'Names of query parameters in the URL, as wireNames of createHrClient; default: try usual names',
      '--seed N': 'Repeat the generated requests of a run; default: random',
      '--json': 'Print the report as JSON',
      '--junit FILE': 'Write the report as JUnit XML',
      '--html FILE': 'Write the report as one HTML page',
    },
    required: ['base-url'],
    environment: {
      HR_CLIENT_ID: 'Client that requests a token',
      HR_CLIENT_SECRET: 'Secret of the client',
      HR_TOKEN: 'Token instead of a client; the token endpoint is not checked then',
      HR_TOKEN_WITHOUT_SCOPE: 'Token without the scope api:use, for --states-url',
    },
    notes: [
      'Without --allow-writes, --allow-payment and --states-url it only reads, and sends invalid bodies to ids that do not exist.',
      ...Object.entries(conformWarnings).map(([flag, warning]) => `--${flag}: ${warning}`),
    ],
    examples: ['hr-contracts conform --base-url https://hr.example.com --html conformance.html'],
    exitCodes: ['0  conforms', '1  does not conform, or failure', '2  usage error', '130  interrupted'],
    run: async (given) => (await import('./conform-command.ts')).conformCommand(given),
  },
  write: {
    summary: 'Run tests of any runner, and write the contracts of their interactions',
    pacts: ['-- COMMAND...', 'The command that runs all tests of the contracts; not needed with vitest'],
    flags: {
      '-u, --update': 'Write all differences, not only new interactions',
      '--some': 'COMMAND runs only some of the tests: an interaction without a test is not stale; not in CI',
    },
    environment: { CI: 'In CI nothing is written, and a difference fails; "false" or "0" if this is not CI' },
    exitCodes: ['0  success', '1  failure', '2  usage error', 'n  exit code of COMMAND, if it fails'],
    examples: ['hr-contracts write -- node --test', 'hr-contracts write --update -- npx jest'],
    run: async (given) => (await import('./write-command.ts')).writeCommand(given),
  },
  drift: {
    summary: 'Compare pacts with the API definition',
    pacts: ['PACTS...', 'Pact files and folders'],
    flags: { '--verbose': 'List deprecated fields, exact values and rules that Pact does not support' },
    examples: ['hr-contracts drift pacts'],
    async run({ pacts, values }) {
      const { checkDrift, driftLines, faultsText } = await import('../drift/check-drift.ts');
      const report = await checkDrift({ pacts });
      const rest = [...report.notes, ...report.unsupportedRules];
      const more = values['verbose']
        ? ['Notes and unsupported rules:', ...driftLines(rest)]
        : [`Notes and unsupported rules: ${rest.length}. List them with --verbose.`];
      return { text: [faultsText(report), ...more].join('\n'), ok: report.faults.length === 0 };
    },
  },
  states: {
    summary: 'List the provider states, with the JSON Schema of their parameters',
    flags: { '--json': 'Print an object of the schemas by the names of the states' },
    examples: ['hr-contracts states --json > states.json'],
    async run({ values }) {
      const [{ z }, { providerStates }] = await Promise.all([import('zod'), import('../../states/provider-states.ts')]);
      const schemas = Object.entries(providerStates).map(
        ([name, model]) => [name, z.toJSONSchema(model, { io: 'input', unrepresentable: 'any' })] as const,
      );
      const lines = schemas.map(([name, { properties = {}, required = [] }]) => {
        const names = Object.keys(properties).map((each) => (required.includes(each) ? each : `${each}?`));
        return `${name}: ${names.join(', ') || 'no parameters'}`;
      });
      return {
        text: values['json'] ? JSON.stringify(Object.fromEntries(schemas), undefined, 2) : lines.join('\n'),
        ok: true,
      };
    },
  },
  'can-i-deploy': {
    summary: 'Check whether a version is compatible with the deployed versions',
    ...ofRelease,
    examples: [`hr-contracts can-i-deploy ${exampleRelease}`],
    run: releaseCommand('canIDeploy', 'may be deployed to'),
  },
  'record-deployment': {
    summary: 'Record that a version is deployed',
    ...ofRelease,
    examples: [`hr-contracts record-deployment ${exampleRelease}`],
    run: releaseCommand('recordDeployment', 'is recorded as deployed to'),
  },
};

function releaseCommand(act: 'canIDeploy' | 'recordDeployment', words: string): Command['run'] {
  return async ({ pacts, values: { participant = '', version = '', environment = '', records = '' } }) => {
    if (pacts.length > 0 && participant === PROVIDER_NAME)
      throw new UsageError(`PACTS are of a consumer. Omit them for ${PROVIDER_NAME}.`);
    const release: Release = { participant, version, environment, records, ...(pacts.length > 0 && { pacts }) };
    await (await import('../deployment-records.ts'))[act](release);
    return { text: `${participant} ${version} ${words} ${environment}.`, ok: true };
  };
}

/** The program `hr-contracts`: runs a command and resolves with the exit code. */
export async function hrContracts(args: readonly string[], env: Arguments['env']): Promise<number> {
  try {
    const { text, ok, exitCode = ok ? 0 : FAILED } = helpFor(args) ?? (await run(args, env));
    await print(`${text}\n`);
    return exitCode;
  } catch (error) {
    const isMisuse = error instanceof UsageError;
    if (!isMisuse && !(error instanceof HrTestingError)) throw error;
    const [name = ''] = args;
    const program = Object.hasOwn(commands, name) ? `hr-contracts ${name}` : 'hr-contracts';
    process.stderr.write(`${error.message}\n${isMisuse ? `See ${program} --help.\n` : ''}`);
    return isMisuse ? MISUSED : FAILED;
  }
}

async function print(text: string): Promise<void> {
  // It also emits the error, which ends the process without a listener.
  if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => undefined);
  const error = await new Promise<unknown>((resolve) => void process.stdout.write(text, resolve));
  if (!error) return;
  const { code } = error as NodeJS.ErrnoException;
  throw new HrTestingError('invalid-option', `The output cannot be written (${code}). Check where it goes.`);
}

/** The help that some arguments ask for, if they do. */
function helpFor(args: readonly string[]): Report | undefined {
  const [first] = args;
  if (first !== 'help' && !args.includes('--help') && !args.includes('-h')) return undefined;
  const name = args.find((arg) => arg !== 'help' && !arg.startsWith('-'));
  return { text: name === undefined ? programHelp(commands) : commandHelp(name, commandOf(name)), ok: true };
}

function commandOf(name: string): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`Unknown command ${name}.`);
  return command;
}

async function run([name, ...args]: readonly string[], env: Arguments['env']): Promise<Report> {
  if (name === undefined) throw new UsageError('Missing command.');
  const command = commandOf(name);
  const { positionals, values } = parsed(args, command);
  for (const flag of command.required ?? [])
    if (values[flag] === undefined) throw new UsageError(`${name} needs --${flag}.`);
  for (const [flag, value] of Object.entries(values)) if (value === '') throw new UsageError(`--${flag} is empty.`);
  if (positionals.includes('')) throw new UsageError('A path of PACTS is empty.');
  if (!command.pacts && positionals.length > 0) throw new UsageError(`${name} takes no arguments.`);
  if (command.pacts?.[0] === 'PACTS...' && positionals.length === 0) throw new UsageError(`${name} needs PACTS.`);
  return command.run({ pacts: positionals, values, env });
}

function parsed(args: readonly string[], { flags }: CommandHelp) {
  const options = flagsOf(flags).map(({ name, short, value }) => {
    return [name, { type: value === undefined ? 'boolean' : 'string', ...(short && { short }) }] as const;
  });
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      options: Object.fromEntries(options),
      allowPositionals: true,
    });
    return { positionals, values: values as Arguments['values'] };
  } catch (error) {
    const [sentence] = (error as Error).message.split(/\.\s|\.?\n|\.$/);
    throw new UsageError(`${sentence}.`, { cause: error });
  }
}
