import { textTable } from '../terminal/terminal.ts';
import { callOperator, type OperatorResponse } from '../operator/operator-api.ts';
import { commandGroup, operatorCommand } from '../operator/operator-command.ts';
import { customFieldOperations } from './custom-field-operations.ts';

/** `custom-fields allow|deny|list`. */
export const commands = {
  'custom-fields': commandGroup({
    allow: operatorCommand(customFieldOperations.operatorAllowCustomFields, { text: (changed) => listText([changed]) }),
    deny: operatorCommand(customFieldOperations.operatorDenyCustomFields, { text: (changed) => listText([changed]) }),
    // Two operations: one list for all clients, one for a client that may see none.
    list(command, context) {
      command
        .description('List the custom fields that clients see.')
        .argument('[client]', 'only those of this client')
        .option('--json', 'print JSON')
        .action(async (clientId: string | undefined, { json }: { json?: true }) => {
          const list =
            clientId === undefined
              ? await callOperator(context, customFieldOperations.operatorListCustomFields, {})
              : [await callOperator(context, customFieldOperations.operatorGetCustomFields, { path: { clientId } })];
          context.terminal.stdout.write(json ? `${JSON.stringify(list)}\n` : listText(list));
        });
    },
  }),
};

function listText(list: OperatorResponse<(typeof customFieldOperations)['operatorListCustomFields']>): string {
  const rows = list.flatMap(({ clientId, names }) => names.map((name) => [clientId, name]));
  if (rows.length > 0) return textTable([['CLIENT ID', 'CUSTOM FIELD'], ...rows]);
  return list.length === 0 ? 'No client sees custom fields.\n' : 'This client sees no custom fields.\n';
}
