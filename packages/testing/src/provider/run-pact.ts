import { fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pactCoreUrl } from '../contract/pact-core.ts';
import { verifierOptionsOf } from './broker/verifier-options.ts';
import { pactEnvironment } from './pact-environment.ts';
import { PROVIDER_NAME } from '../contract/provider-name.ts';
import { VERIFIER_WAIT_MS } from './run.ts';
import type { Run } from './run.ts';

/** Runs the verifier of Pact's core. */
export const runPact: Run = async ({ proxy: { port, statesUrl }, files, broker }) => {
  const pactCore = pactCoreUrl();
  const options = {
    provider: PROVIDER_NAME,
    providerBaseUrl: `http://127.0.0.1:${port}`,
    providerStatesSetupUrl: statesUrl,
    ...(broker ? verifierOptionsOf(broker) : { pactUrls: files }),
    failIfNoPactsFound: true,
    timeout: VERIFIER_WAIT_MS,
    logLevel: 'error',
  };
  return new Promise((resolve) => {
    const program = fileURLToPath(new URL(`./pact-process${extname(import.meta.url)}`, import.meta.url));
    const child = fork(program, { env: pactEnvironment(), execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const end = () => resolve('its process has ended before it told any.');
    child.once('message', (results) => resolve(results as string));
    child.once('error', end).once('disconnect', end);
    child.send({ pactCore, options }, () => undefined);
  });
};
