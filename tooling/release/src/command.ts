/** Prints a line. */
export type Report = (line: string) => void;

/** Runs what a command does. Its steps are lines on stdout; a failure is a sentence on stderr, and exit code 1. */
export async function command(act: (report: Report) => Promise<void>): Promise<void> {
  try {
    await act((line) => process.stdout.write(`${line}\n`));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
