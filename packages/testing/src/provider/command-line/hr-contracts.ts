import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { z } from 'zod';
import { PROVIDER_NAME } from '../../contract/provider-name.ts';
import { HrTestingError } from '../../hr-testing-error.ts';
import { brokerFromEnvironment } from '../broker.ts';
import { providerStates } from '../../states/provider-states.ts';
import { checkDrift, driftLines, faultsText } from '../drift/check-drift.ts';
import { canIDeploy, publishPacts, recordDeployment, type Release } from '../releases.ts';
import { commandHelp, programHelp, type CommandHelp } from './command-help.ts';
import { conformCommand, conformWarnings } from './conform-command.ts';
import { writeCommand } from './write-command.ts';
import { UsageError, verifyCommand, type Arguments, type Report } from './verify-command.ts';

const FAILED = 1;
const MISUSED = 2;

interface Command extends CommandHelp {
  readonly run: (given: Arguments) => Promise<Report>;
}

const brokerVariables = { PACT_BROKER_BASE_URL: 'URL of the broker', PACT_BROKER_TOKEN: 'Token for the broker' };
const ofRelease = {
  pacts: '[PACTS...]',
  pactsText: 'Pact files and folders of a consumer; with --records only',
  flags: {
    participant: { value: 'NAME', text: 'Name of the consumer, or hr-cloud', isRequired: true },
    version: { value: 'VERSION', text: 'Version of the participant', isRequired: true },
    environment: { value: 'NAME', text: 'Environment, such as production', isRequired: true },
    records: { value: 'FILE', text: 'Use this file instead of the broker' },
  },
  environment: brokerVariables,
} as const;

const commands: Readonly<Record<string, Command>> = {
  verify: {
    summary: 'Verify the fake or a running provider against pacts',
    pacts: '[PACTS...]',
    pactsText: 'Pact files and folders; default: the pacts of the broker',
    flags: {
      url: { value: 'URL', text: 'Provider to verify; default: the fake' },
      'states-url': {
        value: 'URL',
        text: 'Endpoint for provider states: POST {"action", "state", "params"}; see docs/provider-states.md',
      },
      version: { value: 'VERSION', text: 'Version of the provider; records or publishes the result' },
      branch: { value: 'BRANCH', text: 'Branch of the provider; includes pacts of consumer branches with this name' },
      records: { value: 'FILE', text: 'Record the result in this file instead of the broker' },
      json: { text: 'Print the result as JSON' },
    },
    environment: {
      HR_TOKEN: 'Token for the provider at --url',
      HR_CLIENT_ID: 'Client that requests a token, if HR_TOKEN is not set',
      HR_CLIENT_SECRET: 'Secret of the client',
      HR_TOKEN_WITHOUT_SCOPE: 'Token without the scope api:use, for pacts that need one',
      ...brokerVariables,
    },
    examples: [
      'hr-contracts verify pacts',
      'hr-contracts verify pacts --url http://127.0.0.1:4010 --states-url http://127.0.0.1:4011/states',
    ],
    run: verifyCommand,
  },
  conform: {
    summary: 'Check whether a running HR cloud keeps the specification',
    flags: {
      'base-url': { value: 'URL', text: 'HR cloud to check', isRequired: true },
      'allow-writes': { value: 'PERSON-ID', text: 'Also change the addresses and bank details of this person' },
      'allow-payment': { value: 'CONTRACT-ID', text: 'Also submit one payment for this contract' },
      'states-url': {
        value: 'URL',
        text: 'Also check behaviour cases and contracts, with provider states from this endpoint',
      },
      seed: { value: 'N', text: 'Repeat the generated requests of a run; default: random' },
      json: { text: 'Print the report as JSON' },
      junit: { value: 'FILE', text: 'Write the report as JUnit XML' },
      html: { value: 'FILE', text: 'Write the report as one HTML page' },
    },
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
    run: conformCommand,
  },
  write: {
    summary: 'Run tests of any runner, and write the contracts of their interactions',
    pacts: '-- COMMAND...',
    pactsText: 'The command that runs all tests of the contracts; not needed with vitest',
    flags: {
      update: { short: 'u', text: 'Write all differences, not only new interactions' },
      some: { text: 'COMMAND runs only some of the tests: an interaction without a test is not stale' },
    },
    environment: { CI: 'In CI nothing is written, and a difference fails; "false" if this is not CI' },
    exitCodes: ['0  success', '1  failure', '2  usage error', 'n  exit code of COMMAND, if it fails'],
    examples: ['hr-contracts write -- node --test', 'hr-contracts write --update -- npx jest'],
    run: writeCommand,
  },
  drift: {
    summary: 'Compare pacts with the API definition',
    pacts: 'PACTS...',
    pactsText: 'Pact files and folders',
    flags: { verbose: { text: 'List deprecated fields, exact values and rules that Pact does not support' } },
    examples: ['hr-contracts drift pacts'],
    async run({ pacts, values }) {
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
    flags: { json: { text: 'Print an object of the schemas by the names of the states' } },
    examples: ['hr-contracts states --json > states.json'],
    async run({ values }) {
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
  publish: {
    summary: 'Publish pacts to the broker',
    pacts: 'PACTS...',
    pactsText: 'Pact files and folders',
    flags: {
      version: { value: 'VERSION', text: 'Version of the consumer, such as the commit', isRequired: true },
      branch: { value: 'BRANCH', text: 'Branch of the consumer', isRequired: true },
    },
    environment: brokerVariables,
    examples: ['hr-contracts publish pacts --version 2.1.0 --branch main'],
    async run({ pacts, values: { version = '', branch = '' }, env }) {
      const broker = brokerFromEnvironment(env);
      if (!broker)
        throw new UsageError('publish needs a broker. Set PACT_BROKER_BASE_URL, or commit the pacts instead.');
      await publishPacts({ broker, pacts, version, branch });
      return { text: `Published the pacts of version ${version}.`, ok: true };
    },
  },
  'can-i-deploy': {
    summary: 'Check whether a version is compatible with the deployed versions',
    ...ofRelease,
    examples: ['hr-contracts can-i-deploy --participant hr-cloud --version 1.4.0 --environment production'],
    run: releaseCommand('can-i-deploy', canIDeploy, 'may be deployed to'),
  },
  'record-deployment': {
    summary: 'Record that a version is deployed',
    ...ofRelease,
    examples: ['hr-contracts record-deployment --participant hr-cloud --version 1.4.0 --environment production'],
    run: releaseCommand('record-deployment', recordDeployment, 'is recorded as deployed to'),
  },
};

function releaseCommand(name: string, act: (release: Release) => Promise<void>, words: string): Command['run'] {
  return async ({ pacts, values: { participant = '', version = '', environment = '', records }, env }) => {
    const deployment = { participant, version, environment };
    if (pacts.length > 0 && participant === PROVIDER_NAME)
      throw new UsageError(`PACTS are of a consumer. Omit them for ${PROVIDER_NAME}.`);
    const broker = records === undefined ? brokerFromEnvironment(env) : undefined;
    if (records !== undefined) await act({ ...deployment, records, ...(pacts.length > 0 && { pacts }) });
    else if (broker) await act({ ...deployment, broker });
    else throw new UsageError(`${name} needs a broker or a file. Set PACT_BROKER_BASE_URL, or add --records.`);
    return { text: `${participant} ${version} ${words} ${environment}.`, ok: true };
  };
}

/** The program `hr-contracts`: runs a command and resolves with the exit code. */
export async function hrContracts(args: readonly string[], env: Arguments['env']): Promise<number> {
  try {
    const help = helpFor(args);
    const { text, ok, exitCode }: Report = help === undefined ? await run(args, env) : { text: help, ok: true };
    await print(`${text}\n`);
    return exitCode ?? (ok ? 0 : FAILED);
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
function helpFor(args: readonly string[]): string | undefined {
  const [first] = args;
  if (first !== 'help' && !args.includes('--help') && !args.includes('-h')) return undefined;
  const name = args.find((arg) => arg !== 'help' && !arg.startsWith('-'));
  return name === undefined ? programHelp(commands) : commandHelp(name, commandOf(name));
}

function commandOf(name: string): Command {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`Unknown command ${name}.`);
  return command;
}

async function run([name, ...args]: readonly string[], env: Arguments['env']): Promise<Report> {
  if (name === undefined) throw new UsageError('Missing command.');
  const command = commandOf(name);
  const flags = Object.entries(command.flags);
  const options = flags.map(([flag, { value, short }]) => {
    return [flag, { type: value === undefined ? 'boolean' : 'string', ...(short && { short }) }];
  });
  const { positionals, values } = parsed(args, Object.fromEntries(options) as ParseArgsOptionsConfig);
  for (const [flag, { isRequired }] of flags) {
    if (isRequired && values[flag] === undefined) throw new UsageError(`${name} needs --${flag}.`);
    if (values[flag] === '') throw new UsageError(`--${flag} is empty.`);
  }
  if (positionals.includes('')) throw new UsageError('A path of PACTS is empty.');
  if (command.pacts === undefined && positionals.length > 0) throw new UsageError(`${name} takes no arguments.`);
  if (command.pacts === 'PACTS...' && positionals.length === 0) throw new UsageError(`${name} needs PACTS.`);
  return command.run({ pacts: positionals, values, env });
}

function parsed(args: readonly string[], options: ParseArgsOptionsConfig) {
  try {
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { positionals, values: values as Arguments['values'] };
  } catch (error) {
    const [sentence] = (error as Error).message.split(/\.\s|\.?\n|\.$/);
    throw new UsageError(`${sentence}.`, { cause: error });
  }
}
