import type { Command } from 'commander';
import { callOperator } from '../operator/operator-api.ts';
import type { OperatorResponse } from '../operator/operator-api.ts';
import type { Terminal } from '../commands/terminal.ts';
import { textTable } from '../commands/terminal.ts';

interface Json {
  readonly json?: true;
}

/** Adds `custom-fields allow|deny|list`. */
export function addCustomFieldsCommand(program: Command, terminal: Terminal): void {
  const customFields = program
    .command('custom-fields')
    .description('say which custom fields of persons a client sees; by default none');

  for (const [verb, operation, description] of [
    ['allow', 'operatorAllowCustomFields', 'let a client see custom fields of these names'],
    ['deny', 'operatorDenyCustomFields', 'let a client no longer see custom fields of these names'],
  ] as const) {
    customFields
      .command(verb)
      .description(description)
      .argument('<client>', 'the client id')
      .argument('<name...>', 'the names, exactly as the feed writes them')
      .option('--json', 'print JSON')
      .action(async (clientId: string, names: string[], { json }: Json) => {
        const changed = await callOperator(terminal, operation, { path: { clientId }, body: { names } });
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
          ? await callOperator(terminal, 'operatorListCustomFields', {})
          : [await callOperator(terminal, 'operatorGetCustomFields', { path: { clientId } })];
      terminal.stdout.write(json ? `${JSON.stringify(list)}\n` : listText(list));
    });
}

function listText(list: OperatorResponse<'operatorListCustomFields'>): string {
  const rows = list.flatMap(({ clientId, names }) => names.map((name) => [clientId, name]));
  if (rows.length > 0) return textTable([['CLIENT ID', 'CUSTOM FIELD'], ...rows]);
  return list.length === 0 ? 'No client sees custom fields.\n' : 'This client sees no custom fields.\n';
}
