import { HrTestingError } from '../../hr-testing-error.ts';
import { commands } from './commands.ts';
import { readArguments, usage, UsageError } from './read-arguments.ts';
import type { Environment } from './read-arguments.ts';

const FAILED = 1;
const MISUSED = 2;

/** The program `hr-contracts`: does what its arguments say, and gives the exit code. Only 0 is a yes. */
export async function hrContracts(args: readonly string[], env: Environment): Promise<number> {
  try {
    const { command, task } = readArguments(args, env);
    process.stdout.write(`${await commands[command](task)}\n`);
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n\n${usage}`);
      return MISUSED;
    }
    if (!(error instanceof HrTestingError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return FAILED;
  }
}
