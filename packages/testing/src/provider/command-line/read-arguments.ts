import { parseArgs } from 'node:util';
import type { PactFiles } from '../verify-options.ts';
import { brokerFromEnvironment } from '../broker/broker-from-environment.ts';
import type { Broker } from '../broker/broker-from-environment.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export const usage = `Usage:
  hr-contracts drift PACTS...
  hr-contracts publish PACTS... --version VERSION --branch BRANCH
  hr-contracts can-i-deploy [PACTS...] --participant NAME --version VERSION --environment NAME [--records FILE]
  hr-contracts record-deployment [PACTS...] --participant NAME --version VERSION --environment NAME [--records FILE]
  hr-contracts --help

PACTS are files that end in .json, and folders of them. A consumer needs its own where there is no broker.
The broker is that of PACT_BROKER_BASE_URL and PACT_BROKER_TOKEN; with --records FILE there is none, and FILE is committed.
`;

const commandNames = ['drift', 'publish', 'can-i-deploy', 'record-deployment', 'help'] as const;
const options = {
  participant: { type: 'string' },
  version: { type: 'string' },
  environment: { type: 'string' },
  branch: { type: 'string' },
  records: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** The program was called in a way that it does not know. */
export class UsageError extends Error {}

/** What a command is asked to do. */
export interface Task {
  readonly pacts: PactFiles;
  /** The pacts of a command that does nothing without any. */
  readonly neededPacts: () => PactFiles;
  /** An option that the command needs. */
  readonly needed: (name: Exclude<keyof typeof options, 'records' | 'help'>) => string;
  /** The broker, or the committed file that stands for one. */
  readonly knowledge: () => { readonly broker: Broker } | { readonly records: string };
}

/** @throws {UsageError} */
export function readArguments(args: readonly string[], env: Environment) {
  const { positionals, values } = parsed(args);
  const [name, ...paths] = values.help ? ['help'] : positionals;
  const command = commandNames.find((each) => each === name);
  if (!command) throw new UsageError(name === undefined ? 'Say a command.' : `There is no command ${name}.`);
  const pacts = {
    files: paths.filter((path) => path.endsWith('.json')),
    folders: paths.filter((path) => !path.endsWith('.json')),
  };
  const task: Task = {
    pacts,
    neededPacts() {
      if (paths.length === 0) throw new UsageError(`${command} needs PACTS.`);
      return pacts;
    },
    needed(option) {
      const value = values[option];
      if (!value) throw new UsageError(`${command} needs --${option}.`);
      return value;
    },
    knowledge() {
      if (values.records) return { records: values.records };
      const broker = brokerFromEnvironment(env);
      if (broker) return { broker };
      throw new UsageError(`${command} needs a broker, PACT_BROKER_BASE_URL, or --records.`);
    },
  };
  return { command, task };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
