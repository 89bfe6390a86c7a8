import { existsSync } from 'node:fs';
import { Help, Option, type Argument, type Command } from 'commander';
import { knownValues } from '../persons/known-values.ts';
import type { Terminal } from '../terminal.ts';

/** Stands for file names, which the shell completes. */
const FILES = ':files';
/** Maximum time to look through the local copy: the values of its first persons have to do. */
const MAX_READ_MS = 50;

/**
 * `hr __complete`: the words that can stand in place of the last one, some with a description after a tab. It reads
 * only files, and loads nothing that takes long to load.
 */
export async function complete(hr: Command, words: readonly string[], terminal: Terminal): Promise<string[]> {
  let command = hr;
  let flag: Option | undefined;
  let args = 0;
  const values: Record<string, string> = {};
  for (const word of words.slice(0, -1)) {
    // bash makes three words of --output=json.
    if (flag && word === '=') continue;
    if (flag && takes(flag, word)) {
      values[flag.attributeName()] = word;
      if (!flag.variadic) flag = undefined;
      continue;
    }
    const [name, value] = word.split(/=(.*)/s, 2);
    flag = flagOf(command, name);
    if (flag && value !== undefined) values[flag.attributeName()] = value;
    if (value !== undefined || !(flag?.required || flag?.optional)) flag = undefined;
    if (word.startsWith('-')) continue;
    const inner = command.commands.find((each) => each.name() === word);
    command = inner ?? command;
    if (!inner) args++;
  }
  const [, start = '', name, last = ''] = /^((-[^=]+)=)?(.*)$/s.exec(words.at(-1) ?? '') ?? [];
  const current = flag && last === '=' ? '' : last;
  const target = flagOf(command, name) ?? (flag && takes(flag, current) ? flag : undefined);
  let found: readonly string[];
  if (target) found = await valuesOf(target, values, terminal);
  else if (current.startsWith('-')) found = flagsOf(command);
  else {
    const argument = command.registeredArguments[args] ?? command.registeredArguments.find(({ variadic }) => variadic);
    found = [
      ...command.commands.map((inner) => `${inner.name()}\t${inner.description()}`).filter((word) => word[0] !== '_'),
      ...(argument ? await valuesOf(argument, values, terminal) : []),
    ];
  }
  return found
    .filter((word) => word === FILES || word.startsWith(current))
    .map((word) => (word === FILES ? word : start + word));
}

function flagOf(command: Command | null, name: string | undefined): Option | undefined {
  const found = command?.options.find(({ short, long }) => name !== undefined && (short === name || long === name));
  return found ?? (command ? flagOf(command.parent, name) : undefined);
}

function flagsOf(command: Command): string[] {
  const help = Object.assign(new Help(), { showGlobalOptions: true });
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)].flatMap(
    ({ short, long, description }) => [short, long].flatMap((name) => (name ? [`${name}\t${description}`] : [])),
  );
}

/** Whether a word is the value of a flag. Only one that has exactly one value takes what looks like a flag. */
function takes({ required, variadic }: Option, word: string): boolean {
  return (required && !variadic) || !word.startsWith('-');
}

/** The values of a flag or an argument, by its choices or by what its help calls it. */
async function valuesOf(
  of: Option | Argument,
  flags: Readonly<Record<string, string>>,
  terminal: Terminal,
): Promise<readonly string[]> {
  if (of.argChoices) return of.argChoices;
  const name = of instanceof Option ? (/[<[](\w+)/.exec(of.flags)?.[1] ?? '') : of.name();
  if (/^(?:file|paths)$/.test(name)) return [FILES];
  if (name !== 'profile' && name !== 'group' && name !== 'status' && name !== 'entries') return [];
  const { readConfig, readProfile } = await import('../profile.ts');
  if (name === 'profile') return Object.keys((await readConfig(terminal)).profiles);
  // Standard input is the line that is typed.
  const { clientSecretFile: _, ...others } = flags;
  const { mirrorFile, outboxFile, source } = await readProfile(terminal, others);
  const file = name === 'entries' ? outboxFile : mirrorFile;
  if (!existsSync(file)) return [];
  const { openMirror, openOutbox } = await import('@hr/client/mirror');
  if (name === 'entries') {
    using outbox = openOutbox({ file, source });
    const open = [...outbox.entries()].filter(
      ({ state, resentAs }) => (state === 'unknown' || state === 'refused') && resentAs === undefined,
    );
    return open.map(({ id, state, contractId }) => `${id}\t${state}, contract ${contractId}`);
  }
  using mirror = openMirror({ file, source });
  return knownValues(mirror, name, MAX_READ_MS);
}
