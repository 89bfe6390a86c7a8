// The program that run-pact.ts starts: it verifies once, tells what Pact says of it, and ends.
// It is a process of its own because Pact's core reads the environment of its process and writes to its output.
import type PactCore from '@pact-foundation/pact-core';
import type { VerifierOptions } from '@pact-foundation/pact-core';

/** What it is told. */
interface Task {
  readonly pactCore: string;
  readonly options: VerifierOptions;
}

process.once('message', (task: Task) => {
  void verified(task).then((results) => process.send?.(results, () => process.disconnect()));
});

async function verified({ pactCore, options }: Task): Promise<string> {
  try {
    const { default: core } = (await import(pactCore)) as { default: typeof PactCore };
    return await core.default.verifyPacts(options);
  } catch (error) {
    // Of a failed verification the results are the message.
    return (error as Error).message;
  }
}
