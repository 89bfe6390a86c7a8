import { fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HrTestingError } from '../hr-testing-error.ts';
import { verifierOptionsOf } from './broker/verifier-options.ts';
import { pactEnvironment } from './pact-environment.ts';
import { PROVIDER_NAME } from './provider-name.ts';
import type { Run } from './run.ts';

const LONGEST_WAIT_MS = 120_000;

/** Runs the verifier of Pact's core. */
export const runPact: Run = async ({ proxy: { port, statesUrl }, files, broker }) => {
  assertInstalled();
  const options = {
    provider: PROVIDER_NAME,
    providerBaseUrl: `http://127.0.0.1:${port}`,
    providerStatesSetupUrl: statesUrl,
    ...(broker ? verifierOptionsOf(broker) : { pactUrls: files }),
    failIfNoPactsFound: true,
    timeout: LONGEST_WAIT_MS,
    logLevel: 'error',
  };
  return new Promise((resolve) => {
    const program = fileURLToPath(new URL(`./pact-process${extname(import.meta.url)}`, import.meta.url));
    const child = fork(program, { env: pactEnvironment(), execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const end = () => resolve('its process has ended before it told any.');
    child.once('message', (results) => resolve(results as string));
    child.once('error', end).once('disconnect', end);
    child.send(options, () => undefined);
  });
};

function assertInstalled(): void {
  try {
    createRequire(import.meta.url).resolve('@pact-foundation/pact-core');
  } catch (error) {
    const remedy = 'Verifying needs @pact-foundation/pact-core: npm install --save-dev @pact-foundation/pact-core';
    throw new HrTestingError('missing-package', remedy, { cause: error });
  }
}
