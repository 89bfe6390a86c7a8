import { reportFailure } from './report-failure.ts';
import { serviceProgram } from './service-program.ts';
import type { Terminal } from './terminal.ts';

/** Runs a command, such as `['clients', 'list']`, to its end. One that fails says why and leaves an exit code. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  try {
    await serviceProgram(terminal).parseAsync(args, { from: 'user' });
  } catch (error) {
    terminal.exitCode = reportFailure(error, terminal.stderr);
  }
}
