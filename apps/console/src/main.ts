import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import type { RunningConsole } from './console-server.ts';
import type { Grant } from './model/grants.ts';

// Only this user may read what the process writes.
process.umask(0o077);
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));

const { ConfigError, readConfig, recordsFile } = await import('./backend/config.ts');
const { Records, LINK_MINUTES, localId } = await import('./backend/records.ts');
const { dataRights, readGrant, roles } = await import('./model/grants.ts');

const DEMO_USER = {
  id: localId('demo'),
  name: 'Demo',
  login: 'demo',
  grants: [[...roles, ...dataRights, 'everyone']],
  employeeNumber: undefined,
};

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
    const origin = server.origin();
    server.records.savePerson(DEMO_USER);
    process.stdout.write(
      `\nThe console is on ${origin}. This link signs you in once, within ${LINK_MINUTES} minutes:\n\n  ${server.records.signInLink(origin, DEMO_USER.id)}\n\n`,
    );
  }
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}

const ID = 'the login of the person, or their id as people list prints it';

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
  .argument('<login>', 'the login of the person, as they were added', parseLogin)
  .action((login: string) => {
    const { origin, port, folder, provider } = readConfig(process.env, true);
    if (provider !== undefined) {
      throw new ConfigError(
        'HR_CONSOLE_OIDC_ISSUER is set, so links sign nobody in. People sign in with the identity provider.',
      );
    }
    using records = openRecords();
    const link = records.signInLink(origin ?? `http://localhost:${port}`, localId(login));
    if (link === undefined) {
      throw new ConfigError(
        `${login} is unknown or disabled. Add them: console people add ${login} --name NAME --roles LIST`,
      );
    }
    if (!records.isInUse()) {
      process.stderr.write(
        `No console uses the folder ${folder} now. Start it, or set HR_CONSOLE_DATA to the folder of the one that runs: no other takes this link.\n`,
      );
    }
    process.stdout.write(`${link}\n`);
  });

program
  .command('sign-out')
  .description('end the sessions of a person and their unused links')
  .argument('<id>', ID)
  .action((id: string) => {
    using records = openRecords();
    process.stdout.write(`${records.signOutEverywhere(idOf(id))} sessions and links of ${id} are ended.\n`);
  });

const people = program.command('people').description('the people who use the console, and what they may do and see');
people
  .command('add')
  .description('add a person, or change one; what is changed holds for their sessions at once')
  .argument('<login>', 'tells the person from all others for good, such as kim', parseLogin)
  .requiredOption('--name <name>', 'what the person is called')
  .requiredOption(
    '--roles <list>',
    `what they may do (${roles.join(', ')}), see (${dataRights.join(', ')}) and of whom (everyone, reports, entity:ID, group:ID), such as editor,pay,entity:1001; repeat it for other persons`,
    (text: string, before?: readonly Grant[]): readonly Grant[] => [...(before ?? []), parseGrant(text)],
  )
  .option('--employee-number <number>', 'who they are in the HR Cloud; for reports')
  .action((login: string, options: AddOptions) => {
    using records = openRecords(true);
    const { name, roles: grants, employeeNumber } = options;
    records.savePerson({ id: localId(login), login, name, grants, employeeNumber });
    records.setDisabled(localId(login), false);
    process.stdout.write(`${login} may sign in. Make a link: console link ${login}\n`);
  });
people
  .command('list')
  .description('list everybody who was added or has signed in')
  .option('--json', 'print JSON')
  .action(({ json }: { readonly json?: true }) => {
    using records = openRecords();
    const all = records.people();
    const lines = all.map(({ id, name, grants, isDisabled, signedInAt }) =>
      [
        id,
        name,
        grants.map((grant) => grant.join(',')).join(' ') || 'no roles',
        isDisabled ? 'disabled' : `signed in ${signedInAt ?? 'never'}`,
      ].join('\t'),
    );
    process.stdout.write(json ? `${JSON.stringify(all)}\n` : lines.map((line) => `${line}\n`).join(''));
  });
people
  .command('disable')
  .description('let a person sign in no more, and end their sessions')
  .argument('<id>', ID)
  .action((id: string) => {
    setDisabled(id, true);
    process.stdout.write(`${id} may sign in no more. To allow it again: console people enable ${id}\n`);
  });
people
  .command('enable')
  .description('let a person sign in again')
  .argument('<id>', ID)
  .action((id: string) => {
    setDisabled(id, false);
    process.stdout.write(`${id} may sign in again.\n`);
  });

interface AddOptions {
  readonly name: string;
  readonly roles: readonly Grant[];
  readonly employeeNumber: string | undefined;
}

function idOf(text: string): string {
  return text.includes('#') ? text : localId(text);
}

function setDisabled(id: string, isDisabled: boolean): void {
  using records = openRecords();
  if (records.setDisabled(idOf(id), isDisabled)) return;
  throw new ConfigError(`${id} is unknown. The command people list has everybody who was added or has signed in.`);
}

function parseLogin(text: string): string {
  if (/^[a-z\d][a-z\d._@-]{0,99}$/.test(text)) return text;
  throw new InvalidArgumentError('Use small letters, digits, ".", "_", "@" and "-".');
}

function parseGrant(text: string): Grant {
  try {
    return readGrant(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}

/** Opens the records of the folder in the settings, which has to be there unless it is `new`. */
function openRecords(isNew = false): InstanceType<typeof Records> {
  const { folder } = readConfig(process.env, true);
  const file = recordsFile(folder);
  if (!isNew && !existsSync(file)) {
    throw new ConfigError(
      `No console has used the folder ${folder}. Add people first, or set HR_CONSOLE_DATA to the folder of the console.`,
    );
  }
  return new Records(file);
}

try {
  await program.parseAsync();
  // A request in flight may wait for a service that does not answer.
  process.exit();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
