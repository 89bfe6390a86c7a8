import { existsSync } from 'node:fs';
import { Option, type Argument, type Command } from 'commander';
import { knownValues } from '../persons/known-values.ts';
import type { Terminal } from '../terminal.ts';

/** Stands for file names, which the shell completes. */
const FILES = ':files';
const MONTHS = 12;
/** Maximum time to look through the local copy: who waits for words gets those of its first persons. */
const MAX_READ_MS = 50;

/** A line up to the word that is completed. */
interface Line {
  command: Command;
  /** The flag whose value comes next. */
  flag: Option | undefined;
  /** The arguments of the command so far. */
  args: number;
  /** The values of flags so far, by which another profile may be meant. */
  readonly values: Record<string, string>;
}

/**
 * `hr __complete`: the words that can stand in place of the last one, each with its description after a tab. It reads
 * only files, and uses nothing that takes long to load.
 */
export async function complete(hr: Command, words: readonly string[], terminal: Terminal): Promise<string[]> {
  const line: Line = { command: hr, flag: undefined, args: 0, values: {} };
  for (const word of words.slice(0, -1)) advance(line, word);
  // bash makes three words of --output=json.
  const current = words.at(-1)?.replace(/^=$/, '') ?? '';
  const [, start = '', name = ''] = (line.flag ? null : /^((--[\w-]+)=)/.exec(current)) ?? [];
  const found = await candidates(line, current, name, terminal);
  return found
    .map((word) => (word === FILES ? word : start + word))
    .filter((word) => word === FILES || word.startsWith(current));
}

async function candidates({ command, flag, args, values }: Line, current: string, name: string, terminal: Terminal) {
  const taking = name === '' ? flag && takes(flag, current) && flag : flagOf(command, name);
  if (taking) return await valuesOf(taking, values, terminal);
  const help = command.createHelp();
  if (current.startsWith('-')) {
    const options = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
    return options.flatMap(({ short, long, description }) =>
      [short, long].flatMap((each) => (each === undefined ? [] : [`${each}\t${description}`])),
    );
  }
  const commands = help.visibleCommands(command).filter((inner) => inner.name() !== 'help');
  const { registeredArguments } = command;
  const argument = registeredArguments[args] ?? registeredArguments.findLast(({ variadic }) => variadic);
  const found = argument ? await valuesOf(argument, values, terminal) : [];
  return [...commands.map((inner) => `${inner.name()}\t${inner.description()}`), ...found];
}

/** Reads the next word of a line. */
function advance(line: Line, word: string): void {
  const { command, flag, values } = line;
  if (flag && word === '=') return;
  if (flag && takes(flag, word)) {
    values[flag.attributeName()] = word;
    if (!flag.variadic) line.flag = undefined;
    return;
  }
  const [name = '', value] = word.split(/=(.*)/s, 2);
  const found = word.startsWith('-') ? flagOf(command, name) : undefined;
  if (found && value !== undefined) values[found.attributeName()] = value;
  line.flag = value === undefined && (found?.required || found?.optional) ? found : undefined;
  if (word.startsWith('-')) return;
  const inner = command.commands.find((each) => each.name() === word);
  if (inner) line.command = inner;
  else line.args++;
}

function flagOf(command: Command, name: string): Option | undefined {
  const found = command.options.find(({ short, long }) => short === name || long === name);
  return found ?? (command.parent ? flagOf(command.parent, name) : undefined);
}

/** Whether a word is the value of a flag. Only one that has exactly one value takes what looks like a flag. */
function takes({ required, variadic }: Option, word: string): boolean {
  return (required && !variadic) || !word.startsWith('-');
}

/** The values of a flag or an argument, by its choices or by what its help calls it. */
async function valuesOf(of: Option | Argument, values: Line['values'], terminal: Terminal): Promise<readonly string[]> {
  if (of.argChoices) return of.argChoices;
  const name = of instanceof Option ? (/[<[](\w+)/.exec(of.flags)?.[1] ?? '') : of.name();
  if (/^(?:file|paths)$/.test(name)) return [FILES];
  if (name === 'month') return lastMonths();
  if (name !== 'profile' && name !== 'group' && name !== 'status' && name !== 'entries') return [];
  const { readConfig, readSettings } = await import('../profile.ts');
  if (name === 'profile') return Object.keys((await readConfig(terminal)).profiles);
  const { mirrorFile, outboxFile, source } = await readSettings(terminal, values);
  const file = name === 'entries' ? outboxFile : mirrorFile;
  if (!existsSync(file)) return [];
  const { openMirror, openOutbox } = await import('@hr/client/mirror');
  if (name === 'entries') {
    using outbox = openOutbox({ file, source });
    const open = [...outbox.entries()].filter(({ state }) => state === 'unknown' || state === 'refused');
    return open.map(({ id, state, contractId }) => `${id}\t${state}, contract ${contractId}`);
  }
  using mirror = openMirror({ file, source });
  return knownValues(mirror, name, MAX_READ_MS);
}

function lastMonths(): string[] {
  const now = new Date();
  const months = Array.from(
    { length: MONTHS },
    (_, back) => new Date(Date.UTC(now.getFullYear(), now.getMonth() - back)),
  );
  return months.map((month) => month.toISOString().slice(0, 'YYYY-MM'.length));
}
