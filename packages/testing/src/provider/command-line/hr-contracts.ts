import { parseArgs } from 'node:util';
import type { ParseArgsOptionsConfig } from 'node:util';
import { HrTestingError } from '../../hr-testing-error.ts';
import { brokerFromEnvironment } from '../broker.ts';
import { checkDrift, driftLines, faultsText } from '../drift/check-drift.ts';
import { canIDeploy, publishPacts, recordDeployment } from '../releases.ts';
import type { Release } from '../releases.ts';
import { UsageError, verifyCommand } from './verify-command.ts';
import type { Arguments, Report } from './verify-command.ts';

const FAILED = 1;
const MISUSED = 2;

interface Command {
  /** Options in brackets are optional; those without a value in capital letters take none. */
  readonly usage: string;
  readonly run: (given: Arguments) => Promise<Report>;
}

const RELEASE = '[PACTS...] --participant NAME --version VERSION --environment NAME [--records FILE]';

const commands: Readonly<Record<string, Command>> = {
  verify: {
    usage: '[PACTS...] [--url URL] [--states-url URL] [--version VERSION] [--branch BRANCH] [--records FILE] [--json]',
    run: verifyCommand,
  },
  drift: {
    usage: 'PACTS... [--verbose]',
    async run({ pacts, values }) {
      const report = await checkDrift({ pacts });
      const rest = [...report.notes, ...report.unsupportedRules];
      const more = values['verbose']
        ? ['Notes and unsupported rules:', ...driftLines(rest)]
        : [`Notes and unsupported rules: ${rest.length}. List them with --verbose.`];
      return { text: [faultsText(report), ...more].join('\n'), ok: report.faults.length === 0 };
    },
  },
  publish: {
    usage: 'PACTS... --version VERSION --branch BRANCH',
    async run({ pacts, values: { version = '', branch = '' }, env }) {
      const broker = brokerFromEnvironment(env);
      if (!broker)
        throw new UsageError('publish needs a broker in PACT_BROKER_BASE_URL; without one, commit the pacts.');
      await publishPacts({ broker, pacts, version, branch });
      return { text: `Published the pacts of version ${version}.`, ok: true };
    },
  },
  'can-i-deploy': { usage: RELEASE, run: releaseCommand('can-i-deploy', canIDeploy, 'may be deployed to') },
  'record-deployment': {
    usage: RELEASE,
    run: releaseCommand('record-deployment', recordDeployment, 'is recorded as deployed to'),
  },
};

function releaseCommand(name: string, act: (release: Release) => Promise<void>, words: string): Command['run'] {
  return async ({ pacts, values: { participant = '', version = '', environment = '', records }, env }) => {
    const deployment = { participant, version, environment };
    const broker = records === undefined ? brokerFromEnvironment(env) : undefined;
    if (records !== undefined) await act({ ...deployment, records, ...(pacts.length > 0 && { pacts }) });
    else if (broker) await act({ ...deployment, broker });
    else throw new UsageError(`${name} needs --records, or a broker in PACT_BROKER_BASE_URL.`);
    return { text: `${participant} ${version} ${words} ${environment}.`, ok: true };
  };
}

const help = `Usage:
${Object.entries(commands)
  .map(([name, { usage }]) => `  hr-contracts ${name} ${usage}\n`)
  .join('')}
PACTS are files and folders. verify gets them from the broker when they are left out.

The broker is the one of PACT_BROKER_BASE_URL and PACT_BROKER_TOKEN. Without one, --records FILE names a file to commit.

verify asks the fake, or with --url a running provider. That needs:
  - a token in HR_TOKEN, or HR_CLIENT_ID and HR_CLIENT_SECRET to request one
  - where pacts need it, a token without the scope api:use in HR_TOKEN_WITHOUT_SCOPE
  - an address at --states-url that sets up provider states. As with Pact's own tools, it takes one
    POST {"state": "a person", "params": {"id": "4711"}, "action": "setup"} for each state, before the interaction.
`;

/** The program `hr-contracts`: does what its arguments say, and resolves with the exit code. Only 0 means yes. */
export async function hrContracts(args: readonly string[], env: Arguments['env']): Promise<number> {
  try {
    const isHelp = args[0] === 'help' || args.includes('--help') || args.includes('-h');
    const { text, ok } = isHelp ? { text: help.trimEnd(), ok: true } : await run(args, env);
    process.stdout.write(`${text}\n`);
    return ok ? 0 : FAILED;
  } catch (error) {
    const isMisuse = error instanceof UsageError;
    if (!isMisuse && !(error instanceof HrTestingError)) throw error;
    process.stderr.write(`${error.message}\n${isMisuse ? 'See hr-contracts --help.\n' : ''}`);
    return isMisuse ? MISUSED : FAILED;
  }
}

async function run([name, ...args]: readonly string[], env: Arguments['env']): Promise<Report> {
  if (name === undefined) throw new UsageError('Missing command.');
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`Unknown command ${name}.`);
  const known = [...command.usage.matchAll(/(?<bracket>\[)?--(?<option>[\w-]+)(?<value> [A-Z]+)?/g)];
  const options = known.map(({ groups = {} }) => [groups['option'], { type: groups['value'] ? 'string' : 'boolean' }]);
  const { positionals, values } = parsed(args, Object.fromEntries(options) as ParseArgsOptionsConfig);
  for (const { groups: { bracket, option = '' } = {} } of known) {
    if (!bracket && values[option] === undefined) throw new UsageError(`${name} needs --${option}.`);
    if (values[option] === '') throw new UsageError(`--${option} is empty.`);
  }
  if (command.usage.startsWith('PACTS') && positionals.length === 0) throw new UsageError(`${name} needs PACTS.`);
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
