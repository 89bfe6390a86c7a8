// The process that run-interactions.ts starts: it verifies once, sends what Pact reports, and exits.
import type PactCore from '@pact-foundation/pact-core';
import type { VerifierOptions } from '@pact-foundation/pact-core';

interface Task {
  readonly pactCore: string;
  readonly options: VerifierOptions;
}

process.once('message', (task: Task) => {
  void verify(task).then((output) => process.send?.(output, () => process.disconnect()));
});

async function verify({ pactCore, options }: Task): Promise<string> {
  try {
    const { default: core } = (await import(pactCore)) as { default: typeof PactCore };
    return await core.default.verifyPacts(options);
  } catch (error) {
    // The message of a failed verification is its results.
    return (error as Error).message;
  }
}
