import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pactCliProgram } from './pact-cli.ts';
import { pactEnvironment } from './pact-environment.ts';
import { PROVIDER_NAME } from '../contract/provider-name.ts';
import { VERIFIER_WAIT_MS } from './run.ts';
import type { Run } from './run.ts';

/** Runs the verifier of Pact's command line, a program of its own, on pacts in files. */
export const runPactCli: Run = async ({ proxy: { port, statesUrl }, files }) => {
  const folder = await mkdtemp(join(tmpdir(), 'pact-cli-'));
  try {
    const results = join(folder, 'results.json');
    const provider = ['--hostname', '127.0.0.1', '--port', `${port}`, '--provider-name', PROVIDER_NAME];
    const states = ['--state-change-url', statesUrl, '--state-change-teardown'];
    const patience = ['--request-timeout', `${VERIFIER_WAIT_MS}`];
    const pacts = files.flatMap((file) => ['--file', file]);
    const said = await run([...provider, ...states, ...patience, ...pacts, '--json', results, '--no-colour']);
    return await readFile(results, 'utf8').catch(() => said);
  } finally {
    await rm(folder, { recursive: true });
  }
};

function run(args: readonly string[]): Promise<string> {
  const options = { env: pactEnvironment(), maxBuffer: Infinity };
  return new Promise((resolve) => {
    // It exits with 1 where a contract is not held; what matters is what it writes.
    execFile(process.execPath, [pactCliProgram(), 'verifier', ...args], options, (_error, _stdout, stderr) =>
      resolve(stderr),
    );
  });
}
