import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Outbox } from '@hr/client/mirror';
import { CliError, exitCodes } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { openCallLog } from './call-log.ts';
import { LocalCopy } from './local-copy.ts';
import { createMcpServer } from './mcp-server.ts';

/** With fewer, the explanations of a result would leave no room for rows. */
const MIN_TOKENS = 1000;

/** `hr mcp`: serves the Model Context Protocol on standard input and output until the client closes them. */
export async function mcp(context: Context, flags: { allowWrites?: true; reveal?: true; maxTokens: number }) {
  const { allowWrites = false, reveal = false, maxTokens } = flags;
  if (maxTokens < MIN_TOKENS) throw new CliError(`--max-tokens must be at least ${MIN_TOKENS}.`, exitCodes.usage);
  const { stdin, stdout } = context.terminal;
  if (stdin.isTTY) context.info('Waiting for a Model Context Protocol client on standard input. To end, press Ctrl-C.');
  if (allowWrites) await context.findIdempotency();
  const [hr, mirror, { folder }] = await Promise.all([context.client(), context.mirror(), context.profile()]);
  const log = openCallLog(join(folder, 'mcp.log'));
  const copy = new LocalCopy();
  let opened: Outbox | undefined;
  const outbox = async () => (opened ??= await context.outbox());
  const { server, settled } = createMcpServer({ hr, mirror, outbox, copy, log, allowWrites, reveal, maxTokens });

  const closed = new Promise<void>((resolve) => {
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has no events
    server.server.onclose = resolve;
  });
  const close = () => void server.close();
  for (const event of ['end', 'close', 'error']) stdin.once(event, close);
  context.signal.addEventListener('abort', close);
  await server.connect(new StdioServerTransport(stdin as Readable, stdout as Writable));
  if (context.signal.aborted) close();
  await closed;
  await Promise.all([settled(), copy.close()]);
}
