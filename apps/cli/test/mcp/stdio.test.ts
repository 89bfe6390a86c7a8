import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema, LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { run } from '../../src/program.ts';
import { demoEnvironment, homeFolder, runHr } from '../run-hr.ts';

const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

test('a client starts hr mcp as a program and asks it', async () => {
  const home = await homeFolder();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--conditions=@hr/source', program, 'mcp', '--allow-writes'],
    // With the compiled modules of other processes.
    env: { ...(process.env as Record<string, string>), ...demoEnvironment(home) },
    stderr: 'pipe',
  });
  const printed = text(transport.stderr as Readable);
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'accept', content: { confirm: true } }));
  const errors: Error[] = [];
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no events
  client.onerror = (error) => errors.push(error);
  await client.connect(transport);
  expect(client.getServerVersion()).toMatchObject({ name: 'hr', version: '1.0.0' });
  await expect(client.callTool({ name: 'listPersons', arguments: { limit: 1 } })).resolves.toMatchObject({
    content: [{ text: expect.stringContaining('"total":300') as string }],
  });
  const payment = { contractId: '2000-20002', billingPeriod: '2031-01', compensationComponentId: 'BONUS', amount: 250 };
  await expect(client.callTool({ name: 'submitVariablePayment', arguments: payment })).resolves.toMatchObject({
    content: [{ text: expect.stringMatching(/"contractId":"2000-20002",.*"state":"sent"/) as string }],
  });
  await client.close();
  // A line on stdout that is not of the protocol would be an error of the client.
  expect(errors).toEqual([]);
  await expect(printed).resolves.toBe('');
  expect((await stat(join(home, 'default', 'mcp.log'))).mode & 0o777).toBe(0o600);
});

test('hr mcp ends when its standard input ends, and prints only the protocol', async () => {
  const messages = [
    {
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: LATEST_PROTOCOL_VERSION,
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ];
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const terminal = { env: demoEnvironment(await homeFolder()), stdin, stdout, stderr, exitCode: 0 };
  const ended = run(['mcp'], terminal);
  const replies = createInterface(stdout)[Symbol.asyncIterator]();
  for (const message of messages) {
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    if (message.id === undefined) continue;
    // oxlint-disable-next-line no-await-in-loop -- a client waits for each reply
    const { value } = await replies.next();
    expect(JSON.parse(String(value))).toMatchObject({ id: message.id, result: {} });
  }
  stdin.end();
  await ended;
  stdout.end();
  await expect(replies.next()).resolves.toMatchObject({ done: true });
  await expect(text(stderr.end())).resolves.toBe('');
  expect(terminal.exitCode).toBe(0);
});

test('hr mcp with too few tokens, or without credentials, fails before the client waits for it', async () => {
  const few = await runHr(['mcp', '--max-tokens', '999'], { env: demoEnvironment(await homeFolder()) });
  expect(few).toMatchObject({ code: 2, stderr: 'hr: --max-tokens must be at least 1000.\n' });
  const { code, stderr } = await runHr(['mcp'], { env: { HR_HOME: await homeFolder() } });
  expect(code).toBe(4);
  expect(stderr).toContain('hr auth login');
});
