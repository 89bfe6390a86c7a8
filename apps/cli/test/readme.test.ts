import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import xterm from '@xterm/headless';
import { expect, inject, onTestFinished, test } from 'vitest';
import { run } from '../src/program.ts';
import { homeFolder } from './run-hr.ts';
import { screenOf } from './terminal.ts';

const readme = fileURLToPath(new URL('../README.md', import.meta.url));
const demoUrl = 'http://127.0.0.1:4010';
const COLUMNS = 100;

/** The files of the examples. */
const files = {
  'secret.txt': 'demo-secret\n',
  'december.csv': `Personalnummer-Vertrag;Name;Betrag EUR
1000-20001;Roth;1.234,50
2000-20002;Alkhatib;80
`,
  'labels.csv': `kind,key,en,de,color
bookingKey,40,Business trip,Dienstreise,#3b6fb5
bookingKey,51,Medical appointment,Arzttermin,
`,
  'payments.csv': `contractId;billingPeriod;compensationComponentId;amount
1000-20001;2026-12;BONUS;1234,50
1000-20001;2026-13;BONUS;80
2000-20002;2026-12;OVERTIME;80
`,
};

// `vitest run -u` writes what the commands print.
test('the commands of the README print what it shows', async () => {
  const folder = await homeFolder();
  await mkdir(join(folder, '.hr/default'), { recursive: true, mode: 0o700 });
  await Promise.all(
    Object.entries(files).map(([name, content]) => writeFile(join(folder, name), content, { mode: 0o600 })),
  );
  // The examples name files of the folder that a person is in.
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
  const pieces = (await readFile(readme, 'utf8')).split(/(?<=^```console\n)|(?=^```$)/m);
  let isConsole = false;
  const written: string[] = [];
  for (const piece of pieces) {
    // oxlint-disable-next-line no-await-in-loop -- a session: each command builds on those before it
    written.push(isConsole ? await session(piece, folder) : piece);
    isConsole = piece.endsWith('```console\n');
  }
  await expect(written.join('')).toMatchFileSnapshot(readme);
});

/** Runs the commands of a block, and returns the block with what they print. */
async function session(block: string, folder: string): Promise<string> {
  const commands = [...block.matchAll(/^\$ (.*)$/gm)].map(([, command = '']) => command);
  let text = '';
  for (const command of commands) {
    // oxlint-disable-next-line no-await-in-loop -- a session: each command builds on those before it
    const screen = await printed(
      command.replaceAll(demoUrl, inject('demoUrl')).replaceAll('~', folder),
      join(folder, '.hr'),
    );
    text += `$ ${command}\n${screen}${screen === '' ? '' : '\n'}`;
  }
  return text
    .replaceAll(inject('demoUrl'), demoUrl)
    .replaceAll(`${folder}/.hr`, '~/.hr')
    .replaceAll(/(?<=since )\d{4}-\d{2}-\d{2}/g, '2026-11-21');
}

/** What a command leaves on a terminal. `hr` runs in this process, because its start takes longer than what it does. */
async function printed(command: string, home: string): Promise<string> {
  const [program, ...args] = Array.from(command.matchAll(/"(.*?)"|\S+/g), ([word, quoted]) => quoted ?? word);
  if (program === 'cat') return (await readFile(args[0] ?? '', 'utf8')).trimEnd();
  expect(program).toBe('hr');
  const terminal = new xterm.Terminal({ cols: COLUMNS, allowProposedApi: true, convertEol: true });
  const write = (text: Buffer, _encoding: string, done: () => void): void => terminal.write(text, done);
  const stream = Object.assign(new Writable({ write }), { isTTY: true, columns: COLUMNS });
  const env = { HR_HOME: home, NO_COLOR: '1', HR_KEYCHAIN: 'off' };
  await run(args, { env, stdin: Readable.from([]), stdout: stream, stderr: stream, exitCode: 0 });
  await new Promise<void>((resolve) => stream.end(resolve));
  return screenOf(terminal);
}
