// The program that run-pact.ts starts: it verifies once, tells what Pact says of it, and ends.
// It is a process of its own because Pact's core reads the environment of its process and writes to its output.
import pactCore from '@pact-foundation/pact-core';
import type { VerifierOptions } from '@pact-foundation/pact-core';

process.once('message', (options: VerifierOptions) => {
  void verified(options).then((results) => process.send?.(results, () => process.disconnect()));
});

async function verified(options: VerifierOptions): Promise<string> {
  try {
    return await pactCore.default.verifyPacts(options);
  } catch (error) {
    // Of a failed verification the results are the message.
    return (error as Error).message;
  }
}
