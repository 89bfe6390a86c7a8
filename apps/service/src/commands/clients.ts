import { Option } from 'commander';
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { scopes } from '../database/clients.ts';
import type { ClientCredentials } from '../database/clients.ts';
import { withOperatorApi } from './operator-api.ts';
import { textTable } from './text-table.ts';

/** Adds `clients create`. */
export function addClientsCommand(program: Command): void {
  program
    .command('clients')
    .description('manage the programs that may use the API')
    .command('create')
    .description('make a client and print its secret, once')
    .requiredOption('--name <name>', 'what it is called')
    .addOption(new Option('--scope <scope>', 'what it may do').choices(scopes).default(scopes[0]))
    .option('--json', 'print JSON')
    .action(async ({ json, ...client }: { name: string; scope: string; json?: true }) => {
      const made = (await withOperatorApi(readConfig(process.env), (operator) =>
        operator('POST', '/clients', client),
      )) as ClientCredentials;
      const { clientId, clientSecret, scope } = made;
      process.stdout.write(
        json
          ? `${JSON.stringify(made)}\n`
          : `${textTable([
              ['client id', clientId],
              ['client secret', clientSecret],
              ['scope', scope],
            ])}Keep the secret now: nobody can show it again.\n`,
      );
    });
}
