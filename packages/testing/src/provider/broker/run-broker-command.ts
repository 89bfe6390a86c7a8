import { execFile } from 'node:child_process';
import { pactCliProgram } from '../pact-cli.ts';
import { pactEnvironment } from '../pact-environment.ts';
import type { Broker } from './broker-from-environment.ts';

const RETRIES = '3';
const LONGEST_OUTPUT = 64 * 1024 * 1024;

/** What Pact's command line has said, and whether it was content. */
interface Outcome {
  readonly ok: boolean;
  /** What it has answered. */
  readonly answer: string;
  /** All that it has said. */
  readonly output: string;
}

/**
 * Runs a command of Pact's own command line against a broker. The token goes by the environment of the child, where no
 * list of processes shows it. Nothing that is set there for another broker is handed on.
 */
export async function runBrokerCommand({ url, token }: Broker, args: readonly string[]): Promise<Outcome> {
  const env = {
    ...pactEnvironment(),
    PACT_BROKER_BASE_URL: url,
    PACT_BROKER_HTTP_RETRIES: RETRIES,
    ...(token !== undefined && { PACT_BROKER_TOKEN: token }),
  };
  const program = pactCliProgram();
  return new Promise((resolve) => {
    const options = { env, encoding: 'utf8', maxBuffer: LONGEST_OUTPUT } as const;
    execFile(process.execPath, [program, 'broker', ...args], options, (error, stdout, stderr) => {
      const output = `${stdout}\n${stderr}`.trim();
      const safe = token ? output.replaceAll(token, '<token>') : output;
      resolve({ ok: error === null, answer: stdout, output: safe });
    });
  });
}
