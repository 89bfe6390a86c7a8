import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { program } from '../src/program.ts';
import { runHr } from './run-hr.ts';

/** The commands of hr, none of which does anything. */
function commands(): Command[] {
  const terminal = { env: {}, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, exitCode: 0 };
  const below = (command: Command): Command[] => [command, ...command.commands.flatMap(below)];
  return below(program(terminal, new AbortController().signal)).map((command) => command.action(() => {}));
}

const leaves = commands().filter((command) => command.commands.length === 0 && !command.name().startsWith('_'));

test('each subcommand has two or three examples in its help', async () => {
  const counts = await Promise.all(
    leaves.map(async (leaf) => {
      const path = [leaf.parent?.name(), leaf.name()].filter((name) => name !== 'hr') as string[];
      const { stdout } = await runHr([...path, '--help']);
      return [path.join(' '), stdout.match(/(?<=^ {2}\$ .*)\bhr /gm)?.length ?? 0] as const;
    }),
  );
  expect(counts.length).toBeGreaterThan(25);
  expect(counts.filter(([, count]) => count < 2 || count > 3)).toEqual([]);
});

test('help for a subcommand is there in both ways', async () => {
  const { stdout } = await runHr(['payments', 'resolve', '--help']);
  await expect(runHr(['payments', 'help', 'resolve'])).resolves.toMatchObject({ code: 0, stdout });
});

/** As a shell has them. */
function wordsOf(example: string): string[] {
  return Array.from(example.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word);
}

const examples = commands().flatMap((command) => {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return Array.from(help.matchAll(/^ {2}\$ .*?\bhr ([^)|>\n]*)/gm), ([, words = '']) => words.trim());
});

test.each(examples)('hr accepts the example of its help: hr %s', async (example) => {
  const [hr] = commands();
  await expect(hr?.parseAsync(wordsOf(example), { from: 'user' })).resolves.toBe(hr);
});
