import { Option } from 'commander';
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import type { ClientRecord } from '../database/client-record.ts';
import type { RetiredClient, RotatedClient } from '../database/client-secrets.ts';
import { scopes } from '../database/clients.ts';
import type { ClientCredentials } from '../database/clients.ts';
import { clientTexts } from './client-texts.ts';
import { withOperatorApi } from './operator-api.ts';
import type { Terminal } from './terminal.ts';

interface Json {
  readonly json?: true;
}

/** Adds `clients create|list|disable|enable|rotate`. */
export function addClientsCommand(program: Command, terminal: Terminal): void {
  const clients = program.command('clients').description('manage the programs that may use the API');

  clients
    .command('create')
    .description('make a client and print its secret, once')
    .requiredOption('--name <name>', 'what it is called')
    .addOption(new Option('--scope <scope>', 'what it may do').choices(scopes).default(scopes[0]))
    .option('--json', 'print JSON')
    .action(async ({ json, ...client }: Json & { name: string; scope: string }) => {
      const made = await ask<ClientCredentials>(terminal, 'POST', '', client);
      print(terminal, made, json, clientTexts.created);
    });

  clients
    .command('list')
    .description('list the clients, oldest first, and which secrets are valid')
    .option('--json', 'print JSON')
    .action(async ({ json }: Json) => {
      const list = await ask<ClientRecord[]>(terminal, 'GET', '');
      print(terminal, list, json, clientTexts.list);
    });

  for (const [name, description] of [
    ['disable', 'end the tokens of a client and give it no new ones'],
    ['enable', 'let a disabled client get tokens again'],
  ] as const) {
    const command = clients
      .command(name)
      .description(description)
      .argument('<id>', 'the client id')
      .option('--json', 'print JSON')
      .action(async (id: string, { json }: Json) => {
        const client = await ask<ClientRecord>(terminal, 'POST', `/${encodeURIComponent(id)}/${name}`);
        print(terminal, client, json, clientTexts[`${name}d`]);
      });
    if (name === 'disable') command.alias('revoke');
  }

  clients
    .command('rotate')
    .description('make a new secret and print it, once; the previous one stays valid for seven days')
    .argument('<id>', 'the client id')
    .option('--retire', 'make no new secret, but end the previous one now')
    .option('--json', 'print JSON')
    .action(async (id: string, { retire, json }: Json & { retire?: true }) => {
      const path = `/${encodeURIComponent(id)}/rotate`;
      if (retire)
        print(terminal, await ask<RetiredClient>(terminal, 'POST', path, { retire }), json, clientTexts.retired);
      else print(terminal, await ask<RotatedClient>(terminal, 'POST', path), json, clientTexts.rotated);
    });
}

async function ask<Answer>(terminal: Terminal, method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
  const answer = await withOperatorApi(readConfig(terminal.env), (operator) =>
    operator(method, `/clients${path}`, body),
  );
  return answer as Answer;
}

function print<Answer>(
  { stdout }: Terminal,
  answer: Answer,
  json: true | undefined,
  text: (answer: Answer) => string,
): void {
  stdout.write(json ? `${JSON.stringify(answer)}\n` : text(answer));
}
