import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exitCodes } from '../src/cli-error.ts';
import { front } from './contracts/front.ts';
import { demoEnvironment, homeFolder, runHr } from './run-hr.ts';
import { openTerminal } from './terminal.ts';

const main = join(import.meta.dirname, '../src/main.ts');
const iban = 'DE02120300000000202051';

test('without a terminal, a person that changes before the request is not changed', async () => {
  const hr = await front();
  const person = { id: '1', bankDetails: { iban: 'DE89370400440532013000' } };
  // A request to change it would have no response.
  const prepared = [{ body: [person] }, { body: [{ id: '1', bankDetails: { iban: 'DE75512108001245126199' } }] }];
  const stdin = JSON.stringify({ iban });
  expect(await hr(['persons', 'set-bank', '1', '--yes'], undefined, { prepared, stdin })).toEqual({
    code: exitCodes.rejected,
    stdout: '',
    stderr: 'hr: Nothing was sent: person 1 was changed meanwhile. Run the command again.\n',
  });
});

test('in a terminal, the person is asked again about what another has changed meanwhile', async () => {
  const home = await homeFolder();
  const env = demoEnvironment(home);
  const file = join(home, 'bank.json');
  await writeFile(file, JSON.stringify({ iban }));
  const command = [process.execPath, '--conditions=@hr/source', main, 'persons', 'set-bank', '100011', '--file', file];
  await using terminal = openTerminal(command, { columns: 100, env });
  await terminal.waitFor('Send this change of person 100011? [y/N]');
  const bankDetails = { iban: 'DE75512108001245126199', payee: 'By another' };
  const patch = ['api', 'PATCH', '/api/v1/persons/100011', '--input-file', '-'];
  expect(await runHr(patch, { env, stdin: JSON.stringify({ bankDetails }) })).toMatchObject({ code: 0 });
  terminal.type('y\r');
  await terminal.waitFor(
    /changed meanwhile\. Compare again:\n.*DE75512108001245126199 → DE02120300000000202051\n.*By another \(will be discarded\)\n.*\? \[y\/N\]/s,
  );
  terminal.type('y\r');
  expect(await terminal.exitCode()).toBe(0);
  expect(terminal.screen).toContain('Changed person 100011.');
});
