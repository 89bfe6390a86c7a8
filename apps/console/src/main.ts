import { readFile } from 'node:fs/promises';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import type { RunningConsole } from './console-server.ts';

// Only this user may read what the process writes.
process.umask(0o077);
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));

const { ConfigError, readConfig, recordsFile } = await import('./backend/config.ts');
const { Records, LINK_MINUTES, roles } = await import('./backend/records.ts');
type Role = (typeof roles)[number];

const DEMO_USER = { name: 'Demo', roles: [...roles] };

function parseRoles(text: string): Role[] {
  const names = text.split(',').filter((name) => name !== '');
  const unknown = names.filter((name) => !roles.some((role) => role === name));
  if (unknown.length > 0) throw new InvalidArgumentError(`Allowed are ${roles.join(', ')}.`);
  return names as Role[];
}

/** Resolves when the local copy is complete: the service may still be starting. */
async function untilCurrent({ live, config }: RunningConsole): Promise<void> {
  if (live.health.state === 'current') return;
  await new Promise<void>((resolve) => {
    const unsubscribe = live.subscribe((event) => {
      if (event.type !== 'health') return;
      const { state, problem } = event.health;
      if (state === 'failed') process.stderr.write(`Waiting for the service at ${config.baseUrl}: ${problem}.\n`);
      if (state !== 'current') return;
      unsubscribe();
      resolve();
    });
  });
}

/** Names the keys of the made company, unless somebody keeps names already. */
async function nameDemoKeys({ records }: RunningConsole): Promise<void> {
  const { readLabels } = await import('@hr/text/labels-file');
  const file = await readFile(new URL('../demo-labels.csv', import.meta.url), 'utf8');
  if (records.labels().length === 0) records.replaceLabels(readLabels(file).labels);
}

/** Runs the console until Ctrl-C. */
async function serve(isDemo: boolean): Promise<void> {
  if (isDemo) {
    const { buildPages } = await import('./build-pages.ts');
    await buildPages();
  }
  const { startConsole } = await import('./console-server.ts');
  const config = readConfig(process.env, isDemo);
  await using server = await startConsole(config);
  if (isDemo) {
    await nameDemoKeys(server);
    await untilCurrent(server);
  }
  const origin = server.origin();
  process.stdout.write(
    isDemo
      ? `\nThe console is on ${origin}. This link signs you in once, within ${LINK_MINUTES} minutes:\n\n  ${server.records.signInLink(origin, DEMO_USER)}\n\n`
      : `The console is on ${origin}. Make a link to sign in with the command link.\n`,
  );
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

const program = new Command('console').description('The web console of the HR Cloud.');
program
  .command('demo')
  .description('serve the console for the demo of the service, and print a link to sign in')
  .action(() => serve(true));
program
  .command('serve')
  .description('serve the console')
  .action(() => serve(false));
program
  .command('link')
  .description('print a link that signs a person in once')
  .requiredOption('--name <name>', 'who the person is; everything they do is recorded by this name')
  .option('--roles <roles>', `what they may do beside reading: ${roles.slice(1).join(', ')}`, parseRoles, [
    'viewer',
  ] as Role[])
  .action(({ name, roles: granted }: { name: string; roles: Role[] }) => {
    const { origin, port, folder } = readConfig(process.env, true);
    using records = new Records(recordsFile(folder));
    process.stdout.write(`${records.signInLink(origin ?? `http://localhost:${port}`, { name, roles: granted })}\n`);
  });

program
  .command('sign-out')
  .description('end the sessions of a person and their unused links, such as before they get other roles')
  .requiredOption('--name <name>', 'the person, as in the link')
  .action(({ name }: { name: string }) => {
    using records = new Records(recordsFile(readConfig(process.env, true).folder));
    process.stdout.write(`${records.signOutEverywhere(name)} sessions and links of ${name} are ended.\n`);
  });

try {
  await program.parseAsync();
  // A request in flight may wait for a service that does not answer.
  process.exit();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
