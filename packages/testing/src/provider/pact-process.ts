// The process that run-interactions.ts starts: it sends what Pact reports of each verification, until its parent exits.
import type PactCore from '@pact-foundation/pact-core';
import type { VerifierOptions } from '@pact-foundation/pact-core';
import { useSingleCertificate } from './single-certificate.ts';

interface Task {
  readonly pactCore: string;
  readonly options: VerifierOptions;
}

useSingleCertificate();
process.on('message', (task: Task) => {
  void verify(task).then((output) => process.send?.(output));
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
