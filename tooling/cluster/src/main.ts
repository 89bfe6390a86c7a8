import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { chaos } from './chaos.ts';
import { Cluster } from './cluster.ts';
import { BASE_URL, FOLDER } from './places.ts';
import { restore } from './restore.ts';

const USAGE = `Usage: pnpm cluster                                starts the cluster until Ctrl-C
       pnpm cluster chaos [--minutes 20] [--seed N]  breaks its parts at random, under load
       pnpm cluster restore                       restores it to a moment before a bad import
`;

const MAX_SEED = 2 ** 31 - 1;

const report = (line: string): void => void process.stderr.write(`${line}\n`);

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { minutes: { type: 'string', default: '20' }, seed: { type: 'string' } },
    allowPositionals: true,
  });
  const [command = 'up'] = positionals;
  const [minutes, seed] = [Number(values.minutes), Number(values.seed ?? randomInt(MAX_SEED))];
  if (!(minutes > 0)) throw new Error('--minutes must be a number above 0.');
  if (!Number.isInteger(seed)) throw new Error('--seed must be an integer.');
  if (command === 'up') await up();
  else if (command === 'chaos') await chaos(minutes, seed, report);
  else if (command === 'restore') await restore(report);
  else throw new Error(`Unknown command ${command}.\n${USAGE}`);
}

async function up(): Promise<void> {
  // It runs until Ctrl-C.
  const cluster = await Cluster.start(report);
  const client = await cluster.createClient('try', 'api:use');
  process.stdout.write(`The service     ${BASE_URL}
A client        HR_CLIENT_ID=${client.clientId} HR_CLIENT_SECRET=${client.clientSecret}
The console     ${await cluster.signIn()}
PostgreSQL      ${cluster.url()}
Patroni         patronictl -c ${FOLDER}/db-1/patroni.yml list
`);
}

try {
  await main();
} catch (error) {
  report(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
