import { expect, test } from 'vitest';
import { openTerminal } from './terminal.ts';

const program = `
  const { createInterface } = require('node:readline');
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  lines.on('SIGINT', () => { console.log(' interrupted'); process.exitCode = 130; lines.close(); });
  lines.question(process.stdout.columns + ' columns. Name? ', (name) => {
    console.log('\\x1b[1mHello\\x1b[22m ' + name);
    lines.prompt();
  });
`;

test('A program in a terminal shows its screen, reads keys, and ends with its exit code', async () => {
  await using terminal = openTerminal([process.execPath, '-e', program], { columns: 40 });
  await terminal.waitFor('Name?');
  terminal.type('Zoë');
  terminal.press('enter');
  await terminal.waitFor(/^Hello Zoë$/m);
  expect(terminal.output).toContain('\u001B[1mHello');
  terminal.press('ctrl-c');
  expect(await terminal.exitCode()).toBe(130);
  expect(terminal.screen).toBe('40 columns. Name? Zoë\nHello Zoë\n>  interrupted');
  await expect(terminal.waitFor('Goodbye')).rejects.toThrow('without showing Goodbye');
});
