import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import type { ClientCustomFields } from '../database/client-custom-fields.ts';
import { withOperatorApi } from './operator-api.ts';
import type { Terminal } from './terminal.ts';
import { textTable } from './text-table.ts';

interface Json {
  readonly json?: true;
}

/** Adds `custom-fields allow|deny|list`. */
export function addCustomFieldsCommand(program: Command, terminal: Terminal): void {
  const customFields = program
    .command('custom-fields')
    .description('say which custom fields of persons a client sees; by default none');

  for (const [verb, description] of [
    ['allow', 'let a client see custom fields of these names'],
    ['deny', 'let a client no longer see custom fields of these names'],
  ] as const) {
    customFields
      .command(verb)
      .description(description)
      .argument('<client>', 'the client id')
      .argument('<name...>', 'the names, exactly as the feed writes them')
      .option('--json', 'print JSON')
      .action(async (clientId: string, names: string[], { json }: Json) => {
        const changed = await ask<ClientCustomFields>(terminal, 'POST', `${pathOf(clientId)}/${verb}`, { names });
        terminal.stdout.write(json ? `${JSON.stringify(changed)}\n` : listText([changed]));
      });
  }

  customFields
    .command('list')
    .description('list the custom fields that clients see')
    .argument('[client]', 'only those of this client id')
    .option('--json', 'print JSON')
    .action(async (clientId: string | undefined, { json }: Json) => {
      const list =
        clientId === undefined
          ? await ask<ClientCustomFields[]>(terminal, 'GET', '/custom-fields')
          : [await ask<ClientCustomFields>(terminal, 'GET', pathOf(clientId))];
      terminal.stdout.write(json ? `${JSON.stringify(list)}\n` : listText(list));
    });
}

function pathOf(clientId: string): string {
  return `/clients/${encodeURIComponent(clientId)}/custom-fields`;
}

async function ask<Answer>(terminal: Terminal, method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
  const answer = await withOperatorApi(readConfig(terminal.env), (operator) => operator(method, path, body));
  return answer as Answer;
}

function listText(list: readonly ClientCustomFields[]): string {
  const rows = list.flatMap(({ clientId, names }) => names.map((name) => [clientId, name]));
  if (rows.length > 0) return textTable([['CLIENT ID', 'CUSTOM FIELD'], ...rows]);
  return list.length === 0 ? 'No client sees custom fields.\n' : 'This client sees no custom fields.\n';
}
