import type { Command } from 'commander';
import { CommandError } from '../terminal/command-error.ts';
import { callOperator, type CommandContext } from '../operator/operator-api.ts';
import { operatorCommand, type DefineCommand } from '../operator/operator-command.ts';
import { erasable, personalData } from './personal-data.ts';
import { personalDataOperations } from './personal-data-operations.ts';

/** `export`, `erase` and `readmit`, each of one person. */
export const commands: Readonly<Record<string, DefineCommand>> = {
  export: operatorCommand(personalDataOperations.operatorExportPerson),
  erase(command, context) {
    operatorCommand(personalDataOperations.operatorErasePerson, {
      before: rejectUnsure,
      text: ({ personId, erasedAt, erased }) =>
        `Person ${personId} is erased since ${erasedAt}. Erased now: ${inWords(Object.entries(erased))}.\n`,
    })(command.option('--yes', 'do it; without it, only say what would be erased'), context);
  },
  readmit: operatorCommand(personalDataOperations.operatorReadmitPerson, {
    text: ({ personId }) => `Person ${personId} may come again with the next import.\n`,
  }),
};

async function rejectUnsure(erase: Command, context: CommandContext): Promise<void> {
  if (erase.opts()['yes'] === true) return;
  const [personId = ''] = erase.args;
  const stored = await callOperator(context, personalDataOperations.operatorExportPerson, { path: { personId } });
  const left = erasable.map((name) => {
    // The column of the content has the name of its member.
    const [content] = personalData[name].emptied ?? [];
    return [name, stored[name].filter((row) => content === undefined || content in row).length] as const;
  });
  throw new CommandError(`This would erase for good: ${inWords(left)}. Add --yes to do it.`, 2);
}

function inWords(counts: readonly (readonly [name: string, count: number])[]): string {
  const some = counts.flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : []));
  return some.join(', ') || 'nothing, as all was erased before';
}
