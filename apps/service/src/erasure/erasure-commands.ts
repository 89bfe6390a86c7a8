import type { Command } from 'commander';
import { printJson } from '../commands/print-json.ts';
import { CommandError } from '../commands/report-failure.ts';
import { callOperator, readOperator } from '../operator/operator-api.ts';
import type { Terminal } from '../commands/terminal.ts';

/** Adds `export`, `erase` and `readmit`, each of one person. */
export function addPersonCommands(program: Command, terminal: Terminal): void {
  program
    .command('export')
    .description('print all that is stored about a person, as JSON')
    .argument('<person>', 'the person id')
    .action(async (personId: string) => {
      const inputs = { path: { personId } };
      await readOperator(terminal, 'operatorExportPerson', inputs, (json) => printJson(json, terminal.stdout));
    });

  program
    .command('erase')
    .description('erase for good all that is stored about a person; no import brings it back')
    .argument('<person>', 'the person id')
    .option('--yes', 'do it; without it, only tell what would be erased')
    .option('--json', 'print JSON')
    .action(async (personId: string, { yes, json }: { yes?: true; json?: true }) => {
      if (!yes) {
        const { erasable } = await import('./personal-data.ts');
        const stored = await callOperator(terminal, 'operatorExportPerson', { path: { personId } });
        const counts = erasable.map((name) => [name, stored[name].length] as const);
        throw new CommandError(
          `This would erase for good: ${inWords(counts) || 'nothing, as all was erased before'}. Add --yes to do it.`,
          2,
        );
      }
      const erasure = await callOperator(terminal, 'operatorErasePerson', { path: { personId } });
      if (json) print(terminal, erasure);
      else {
        const erased = inWords(Object.entries(erasure.erased));
        terminal.stdout.write(
          `Person ${personId} is erased since ${erasure.erasedAt}. Erased now: ${erased || 'nothing, as all was erased before'}.\n`,
        );
      }
    });

  program
    .command('readmit')
    .description('let imports bring an erased person again')
    .argument('<person>', 'the person id')
    .option('--json', 'print JSON')
    .action(async (personId: string, { json }: { json?: true }) => {
      const readmitted = await callOperator(terminal, 'operatorReadmitPerson', { path: { personId } });
      if (json) print(terminal, readmitted);
      else terminal.stdout.write(`Person ${personId} may come again with the next import.\n`);
    });
}

function inWords(counts: readonly (readonly [name: string, count: number])[]): string {
  return counts.flatMap(([name, count]) => (count > 0 ? [`${count} ${name}`] : [])).join(', ');
}

function print({ stdout }: Terminal, value: unknown): void {
  stdout.write(`${JSON.stringify(value)}\n`);
}
