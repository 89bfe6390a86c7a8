import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { HrClient } from '@hr/client';
import { openOutbox } from '@hr/client/mirror';
import { spawn } from '@lydell/node-pty';
import { expect, inject, onTestFinished, test } from 'vitest';
import { homeFolder, runHr } from './run-hr.ts';

const main = join(import.meta.dirname, '../src/main.ts');

/** Two profiles, and the files of the first one: a local copy, and an outbox with a payment of unknown outcome. */
async function storedFiles(folder: string): Promise<string> {
  const home = join(folder, 'home');
  const env = { HR_HOME: home };
  const [url, clientId] = [inject('demoUrl'), 'demo'];
  const login = ['auth', 'login', '--base-url', url, '--client-id', clientId];
  const secret = { ...env, HR_CLIENT_SECRET: 'demo-secret' };
  await runHr(login, { env: secret });
  await runHr([...login, '--profile', 'testing'], { env: secret });
  await runHr(['sync', 'persons'], { env });
  using outbox = openOutbox({ file: join(home, 'default/outbox.db'), source: `${clientId} at ${url}` });
  const payment = { billingPeriod: '2026-12', compensationComponentId: 'BONUS', amount: 1 };
  await outbox.submit({} as HrClient, '1000-20001', payment).catch(() => undefined);
  const [entry] = outbox.entries();
  return entry?.id ?? '';
}

/** A folder with the script of a shell, with hr, and with files to complete. */
async function folderWithScript(shell: string): Promise<string> {
  const folder = await homeFolder();
  await mkdir(join(folder, 'bin'));
  const hr = `#!/bin/sh\nexec '${process.execPath}' --conditions=@hr/source '${main}' "$@"\n`;
  await writeFile(join(folder, 'bin/hr'), hr, { mode: 0o755 });
  const { stdout, stderr, code } = await runHr(['completion', shell]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  await writeFile(join(folder, 'script'), stdout);
  await mkdir(join(folder, 'src'));
  await writeFile(join(folder, 'old data.json'), '{}');
  return folder;
}

function environment(folder: string): Record<string, string | undefined> {
  const PATH = [join(folder, 'bin'), process.env['PATH']].join(delimiter);
  return { ...process.env, PATH, HR_HOME: join(folder, 'home'), HR_PROFILE: '' };
}

function isMissing(shell: string): boolean {
  return spawnSync(shell, ['--version']).status !== 0;
}

const START_OF_LINE = '\u0001';
const END_OF_LINE = '\u0005';
const INSERT_COMPLETIONS = '\u001B*';
const TAB = '\t';
/** What an interactive shell prints when it reads keys; before, the terminal itself would edit the line. */
const READS_KEYS = { bash: /PROMPT:/, zsh: /\[\?2004h/ };

/** Types each line and a key in an interactive shell, and returns the words that are then on the line. */
async function wordsAfter(
  key: string,
  lines: readonly string[],
  folder: string,
  shell: 'bash' | 'zsh',
  args: readonly string[],
  setUp: string,
): Promise<string[]> {
  const env = { ...environment(folder), INPUTRC: '/dev/null', HISTFILE: '', PS1: 'PROMPT:', TERM: 'dumb' };
  // Wide, so that no line wraps.
  const terminal = spawn(shell, [...args], { cols: 2000, rows: 50, cwd: folder, env });
  onTestFinished(() => terminal.kill('SIGKILL'));
  let unread = '';
  let check: (() => void) | undefined;
  terminal.onData((data) => {
    unread += data;
    check?.();
  });
  const shown = (pattern: RegExp): Promise<string> =>
    new Promise((resolve) => {
      check = () => {
        const found = pattern.exec(unread);
        if (!found) return;
        unread = unread.slice(found.index + found[0].length);
        check = undefined;
        resolve(found[1] ?? '');
      };
      check();
    });
  const type = async (keys: string): Promise<void> => {
    await shown(READS_KEYS[shell]);
    terminal.write(`${keys}\r`);
  };

  await type(`${setUp}; printf '<%s>' ready`);
  await shown(/<ready>/);
  const words: string[] = [];
  // oxlint-disable no-await-in-loop -- one line after the other
  for (const [index, line] of lines.entries()) {
    await type(`${line}${key}${START_OF_LINE}printf '<%s>' ${index} ${END_OF_LINE} end`);
    const printed = await shown(new RegExp(`<${index}><hr>((?:<[^<>]*>)*)<end>`));
    words.push(printed.slice(1, -1).replaceAll('><', ' | '));
  }
  // oxlint-enable no-await-in-loop
  return words;
}

/** Lines, and the words after `hr` when the key has inserted all that completes them. */
const lines: Record<string, string> = {
  'hr persons ': 'persons | export | get | list | set-address | set-bank',
  'hr --profile auth -q time ': '--profile | auth | -q | time | bookings',
  'hr persons list --name auth --li': 'persons | list | --name | auth | --limit',
  'hr sync --watch --st': 'sync | --watch | --status',
  'hr salary history --t': 'salary | history | --to',
  'hr auth login --client-id ': 'auth | login | --client-id',
  'hr persons list -o c': 'persons | list | -o | csv',
  'hr persons list --output=p': 'persons | list | --output=parquet',
  'hr --excel ': '--excel | de | en',
  'hr --excel -qx': '--excel | -qx',
  'hr completion ': 'completion | bash | fish | zsh',
  'hr completion zsh ': 'completion | zsh',
  'hr api GET /api/': 'api | GET | /api/',
  'hr api -f a=1 b=2 --input-file ol': 'api | -f | a=1 | b=2 | --input-file | old data.json',
  'hr upgrade-names src s': 'upgrade-names | src | script | src',
  'hr --verb': '--verbose',
  'hr sync b': 'sync | bookings',
  'hr --profile=t': '--profile=testing',
  'hr persons list --group vert': 'persons | list | --group | vertrieb',
  'hr persons list --status A': 'persons | list | --status | ACTIVE',
};

test('bash completes commands, flags, values and files', async () => {
  const folder = await folderWithScript('bash');
  lines['hr payments resend '] = `payments | resend | ${await storedFiles(folder)}`;
  const args = ['--norc', '--noprofile', '-i'];
  const words = await wordsAfter(INSERT_COMPLETIONS, Object.keys(lines), folder, 'bash', args, 'source ./script');
  expect(Object.fromEntries(Object.keys(lines).map((line, index) => [line, words[index]]))).toEqual(lines);
});

test.skipIf(isMissing('zsh'))('zsh completes them where there is one possibility', async () => {
  const folder = await folderWithScript('zsh');
  await storedFiles(folder);
  // `src s` has two possibilities.
  const single: Readonly<Record<string, string>> = {
    ...Object.fromEntries(Object.entries(lines).filter(([line]) => /[a-z]$/.test(line) && !line.endsWith(' s'))),
    'hr upgrade-names src sr': 'upgrade-names | src | src',
    'hr per': 'persons',
    'hr completion f': 'completion | fish',
  };
  const setUp = 'bindkey -e && autoload -U compinit && compinit -u -D && source ./script';
  const words = await wordsAfter(TAB, Object.keys(single), folder, 'zsh', ['-f', '-i'], setUp);
  expect(Object.fromEntries(Object.keys(single).map((line, index) => [line, words[index]]))).toEqual(single);
});

test.skipIf(isMissing('fish'))('fish completes commands, flags, values and files, with descriptions', async () => {
  const shell = 'fish';
  const folder = await folderWithScript(shell);
  const entry = await storedFiles(folder);
  const complete = (line: string): string[] => {
    const program = 'source ./script; complete -C $argv[1]';
    const output = execFileSync(shell, ['--no-config', '-c', program, line], {
      cwd: folder,
      encoding: 'utf8',
      env: environment(folder),
    });
    return output.split('\n').filter((each) => each !== '');
  };
  expect(complete('hr persons set-b')).toEqual(['set-bank\tReplace the bank details of a person']);
  expect(complete('hr --profile auth -q time ')).toEqual(['bookings\tList time bookings by day']);
  expect(complete('hr persons list --name auth --li')).toEqual(['--limit\tMaximum number of persons']);
  expect(complete('hr persons list -o c')).toEqual(['csv']);
  expect(complete('hr persons list --output=p')).toEqual(['--output=parquet']);
  expect(complete('hr --profile t')).toEqual(['testing']);
  expect(complete('hr persons list --group vert')).toEqual(['vertrieb']);
  expect(complete('hr payments resend ')).toEqual([`${entry}\tunknown, contract 1000-20001`]);
  expect(complete('hr completion ')).toEqual(['bash', 'fish', 'zsh']);
  expect(complete('hr completion zsh ')).toEqual([]);
  expect(complete('hr auth login --client-id ')).toEqual([]);
  expect(complete('hr upgrade-names src s')).toEqual(['script', 'src/']);
  expect(complete('hr api --input-file ol')).toEqual(['old data.json']);
});

test('refuses an unknown shell', async () => {
  await expect(runHr(['completion', 'tcsh'])).resolves.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Allowed choices are bash, zsh, fish') as string,
  });
});
