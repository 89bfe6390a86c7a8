import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, test } from 'vitest';
import { homeFolder } from './run-hr.ts';
import { openTerminal } from './terminal.ts';

const readme = fileURLToPath(new URL('../README.md', import.meta.url));
const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const demoUrl = 'http://127.0.0.1:4010';

/** The files of the examples. */
const files = {
  'secret.txt': 'demo-secret\n',
  'payments.csv': `contractId;billingPeriod;compensationComponentId;amount
1000-20001;2026-12;BONUS;1234,50
1000-20001;2026-13;BONUS;80
2000-20002;2026-12;OVERTIME;80
`,
};

/** A folder in which `hr` is a command, as a user has it. */
async function playground(): Promise<{ folder: string; env: NodeJS.ProcessEnv }> {
  const folder = await homeFolder();
  const hr = join(folder, 'bin/hr');
  await mkdir(dirname(hr));
  await writeFile(hr, `#!/bin/sh\nexec '${process.execPath}' --conditions=@hr/source '${main}' "$@"\n`);
  await chmod(hr, 0o755);
  for (const [name, content] of Object.entries(files)) {
    // oxlint-disable-next-line no-await-in-loop -- they are few
    await writeFile(join(folder, name), content);
  }
  const env = { HR_HOME: join(folder, '.hr'), PATH: `${dirname(hr)}:${process.env['PATH']}`, NO_COLOR: '1' };
  return { folder, env };
}

// `vitest run -u` writes what the commands print.
test('the commands of the README print what it shows', async () => {
  const { folder, env } = await playground();
  const pieces = (await readFile(readme, 'utf8')).split(/(?<=^```console\n)|(?=^```$)/m);
  let isConsole = false;
  const written: string[] = [];
  for (const piece of pieces) {
    // oxlint-disable-next-line no-await-in-loop -- a session: each command builds on those before it
    written.push(isConsole ? await session(piece, folder, env) : piece);
    isConsole = piece.endsWith('```console\n');
  }
  await expect(written.join('')).toMatchFileSnapshot(readme);
});

/** Runs the commands of a block in a terminal, and returns the block with what they print. */
async function session(block: string, folder: string, env: NodeJS.ProcessEnv): Promise<string> {
  const commands = [...block.matchAll(/^\$ (.*)$/gm)].map(([, command = '']) => command);
  let text = '';
  for (const command of commands) {
    const script = command.replaceAll(demoUrl, inject('demoUrl'));
    // oxlint-disable no-await-in-loop -- a session: each command builds on those before it
    await using terminal = openTerminal(['/bin/sh', '-c', script], { columns: 100, cwd: folder, env });
    await terminal.exitCode();
    // oxlint-enable no-await-in-loop
    text += `$ ${command}\n${terminal.screen}${terminal.screen === '' ? '' : '\n'}`;
  }
  return text
    .replaceAll(inject('demoUrl'), demoUrl)
    .replaceAll(`${folder}/.hr`, '~/.hr')
    .replaceAll(/(?<=since )\d{4}-\d{2}-\d{2}/g, '2026-11-21');
}
