import { Option } from 'commander';
import type { Command } from 'commander';
import { scopes } from './clients.ts';
import type { Scope } from './clients.ts';
import { clientTexts } from './client-texts.ts';
import { callOperator } from '../operator/operator-api.ts';
import type { OperatorInputs } from '../operator/operator-api.ts';
import type { Terminal } from '../commands/terminal.ts';

interface Json {
  readonly json?: true;
}

type ClientGrants = OperatorInputs<'operatorGrantClient'>['body'];

/** Adds `clients create|list|grant|disable|enable|rotate|rotate-key`. */
export function addClientsCommand(program: Command, terminal: Terminal): void {
  const clients = program.command('clients').description('manage the programs that may use the API');

  withGrants(
    clients
      .command('create')
      .description('make a client and print its secret, once')
      .requiredOption('--name <name>', 'what it is called')
      .addOption(
        new Option('--scope <scope>', 'what it may do; operator includes the scopes that begin with it')
          .choices(scopes)
          .default(scopes[0]),
      ),
  )
    .option('--json', 'print JSON')
    .action(async ({ json, name, scope, ...grants }: Json & GrantOptions & { name: string; scope: Scope }) => {
      const body = { name, scope, ...grantsOf(grants) };
      const made = await callOperator(terminal, 'operatorCreateClient', { body });
      print(terminal, made, json, clientTexts.created);
    });

  clients
    .command('list')
    .description('list the clients, oldest first, and which secrets are valid')
    .option('--json', 'print JSON')
    .action(async ({ json }: Json) => {
      const list = await callOperator(terminal, 'operatorListClients', {});
      print(terminal, list, json, clientTexts.list);
    });

  withGrants(
    clients
      .command('grant')
      .description('set what a client may use and see; lists that are left out stay as they are')
      .argument('<id>', 'the client id'),
  )
    .option('--json', 'print JSON')
    .action(async (clientId: string, { json, ...grants }: Json & GrantOptions) => {
      const granted = await callOperator(terminal, 'operatorGrantClient', {
        path: { clientId },
        body: grantsOf(grants),
      });
      print(terminal, granted, json, clientTexts.granted);
    });

  for (const [name, operation, description] of [
    ['disable', 'operatorDisableClient', 'end the tokens of a client and give it no new ones'],
    ['enable', 'operatorEnableClient', 'let a disabled client get tokens again'],
  ] as const) {
    const command = clients
      .command(name)
      .description(description)
      .argument('<id>', 'the client id')
      .option('--json', 'print JSON')
      .action(async (clientId: string, { json }: Json) => {
        const client = await callOperator(terminal, operation, { path: { clientId } });
        print(terminal, client, json, clientTexts[`${name}d`]);
      });
    if (name === 'disable') command.alias('revoke');
  }

  clients
    .command('rotate')
    .description('make a new secret and print it, once; the previous one stays valid for seven days')
    .argument('<id>', 'the client id')
    .option('--retire', 'make no new secret, but end the previous one and its tokens now')
    .option('--json', 'print JSON')
    .action(async (clientId: string, { retire, json }: Json & { retire?: true }) => {
      const client = await callOperator(terminal, 'operatorRotateSecret', { path: { clientId }, body: { retire } });
      if ('retired' in client) print(terminal, client, json, clientTexts.retired);
      else print(terminal, client, json, clientTexts.rotated);
    });

  clients
    .command('rotate-key')
    .description('make a new key for the checksums in secrets and tokens; those of older keys stay valid')
    .option('--json', 'print JSON')
    .action(async ({ json }: Json) => {
      const key = await callOperator(terminal, 'operatorAddCredentialKey', {});
      print(terminal, key, json, clientTexts.keyRotated);
    });
}

/** Lists of names as options have them. */
type GrantOptions = Readonly<Partial<Record<keyof ClientGrants, string>>>;

function withGrants(command: Command): Command {
  return command
    .option('--operations <ids>', 'the operations it may use, such as listPersons,listAbsences, or all')
    .option('--systems <names>', 'the systems whose data it sees, of master,payroll,time, or all')
    .option('--fields <names>', 'the fields of persons it sees, such as id,firstName,lastName, or all');
}

function grantsOf(options: GrantOptions): ClientGrants {
  const lists = Object.entries(options).map(([name, list]) => [name, list === 'all' ? null : list.split(',')]);
  // The service checks the names.
  return Object.fromEntries(lists) as ClientGrants;
}

function print<Answer>(
  { stdout }: Terminal,
  answer: Answer,
  json: true | undefined,
  text: (answer: Answer) => string,
): void {
  stdout.write(json ? `${JSON.stringify(answer)}\n` : text(answer));
}
